"""A concert has ended: riders ask ten times as often as usual, and drivers send where they are.

    examples/run ride-hailing-webflux
    locust -f examples/ride-hailing/locustfile.py --headless --users 2000 --spawn-rate 100 \
        --run-time 3m --host http://127.0.0.1:8080

A 429 is an answer and no failure: it is counted by a name of its own, so that the other rows are
about the requests that were admitted. Fewer users show it too; examples/surge/locustfile.py is about a
service that collapses.
"""

import itertools
import random

from locust import FastHttpUser, between, task

_numbers = itertools.count(1)


def place():
    """A place within a kilometre or so of the concert."""
    return {
        "lat": round(40.7505 + random.uniform(-0.01, 0.01), 4),
        "lng": round(-73.9934 + random.uniform(-0.01, 0.01), 4),
    }


class User(FastHttpUser):
    abstract = True

    def on_start(self):
        self.name = f"{type(self).__name__.lower()}-{next(_numbers)}"

    def ask(self, method, path, **request):
        headers = {"X-User-Id": self.name}  # as the gateway would say it
        name = path.partition("?")[0]
        with self.client.request(
            method, path, name=name, headers=headers, catch_response=True, **request
        ) as response:
            if response.status_code == 429:
                response.request_meta["name"] = f"{name} (429)"
                response.success()


class Rider(User):
    """Asks ten times as often as usual, and yet stays below five a second for each endpoint."""

    weight = 6
    wait_time = between(0.1, 0.5)

    def on_start(self):
        """Opening the app asks for several things at once: the burst is for that."""
        super().on_start()
        at = place()
        self.ask("GET", f"/api/drivers/nearby?lat={at['lat']}&lng={at['lng']}")
        self.ask("GET", "/api/trips/history")
        self.estimate_fare()

    @task(3)
    def request_ride(self):
        self.ask("POST", "/api/rides/request", json={"pickup": place(), "dropoff": place()})

    @task(1)
    def estimate_fare(self):
        self.ask("POST", "/api/fares/estimate", json={"pickup": place(), "dropoff": place()})


class PanickingApp(User):
    """Asks for the same ride again and again, because the first answer was not at once there."""

    weight = 3
    wait_time = between(0.02, 0.1)

    @task
    def request_ride(self):
        self.ask("POST", "/api/rides/request", json={"pickup": place(), "dropoff": place()})


class Driver(User):
    """Sends what was buffered in a tunnel."""

    weight = 1
    wait_time = between(3, 5)

    @task
    def send_buffered_locations(self):
        for _ in range(5):
            self.ask("POST", "/api/drivers/location", json={"id": self.name, "at": place()})
