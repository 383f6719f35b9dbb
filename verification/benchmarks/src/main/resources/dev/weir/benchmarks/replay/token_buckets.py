# What a user would do instead of weir replay: one token bucket per client address, in a loop over the lines.
# Usage: token_buckets.py FILE RATE BURST. Each line begins with the address; the last but one word is the time in seconds.
# Prints the lines, how many would have been denied, and the seconds it took.
import sys
import time


def main(path, rate, burst):
    buckets = {}
    lines = denied = 0
    started = time.perf_counter()
    with open(path, encoding="ascii") as log:
        for line in log:
            lines += 1
            address = line[: line.index(" ")]
            now = float(line.rsplit(" ", 2)[1])
            bucket = buckets.get(address)
            if bucket is None:
                buckets[address] = [burst - 1, now]
                continue
            tokens = min(burst, bucket[0] + (now - bucket[1]) * rate)
            bucket[1] = now
            if tokens >= 1:
                bucket[0] = tokens - 1
            else:
                bucket[0] = tokens
                denied += 1
    print(lines, denied, time.perf_counter() - started)


main(sys.argv[1], float(sys.argv[2]), float(sys.argv[3]))
