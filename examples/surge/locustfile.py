"""Riders after a concert: many users who ask for rides and fares with little pause.

    locust -f examples/surge/locustfile.py --headless --users 2000 --spawn-rate 100 \
        --run-time 3m --host http://127.0.0.1:9000

docs/surge.md says what to start before. A 429 is an answer and no failure: it is counted by a name
of its own, so that the rows of the two endpoints are about the requests that were admitted.
"""

import itertools
import random

from locust import FastHttpUser, between, task

RIDE = "/api/rides/request"
FARE = "/api/fares/estimate"

# A rider who has not heard back by then has given up.
PATIENCE_SECONDS = 60

_numbers = itertools.count(1)


def place():
    """A place within a kilometre or so of the concert."""
    return {
        "lat": round(40.7505 + random.uniform(-0.01, 0.01), 4),
        "lng": round(-73.9934 + random.uniform(-0.01, 0.01), 4),
    }


class Rider(FastHttpUser):
    wait_time = between(1, 3)
    network_timeout = PATIENCE_SECONDS
    connection_timeout = PATIENCE_SECONDS

    def on_start(self):
        self.rider = f"rider-{next(_numbers)}"

    @task(3)
    def request_ride(self):
        self.ask(RIDE, {"rider_id": self.rider, "pickup": place(), "dropoff": place()})

    @task(1)
    def estimate_fare(self):
        self.ask(FARE, {"pickup": place(), "dropoff": place()})

    def ask(self, path, body):
        headers = {"X-User-Id": self.rider}
        with self.client.post(path, json=body, headers=headers, catch_response=True) as response:
            if response.status_code == 429:
                response.request_meta["name"] = f"{path} (429)"
                response.success()
