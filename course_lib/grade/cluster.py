"""The workers of a Dask cluster, used like a `Pool`."""

import time
from contextlib import suppress

BACK = 20
"""Seconds that a connection to the scheduler has to come back."""


class Cluster:
    """Gives tasks to the workers of the Dask scheduler at `address`.

    Each worker is started again by the cluster when it dies, so that its death costs the others nothing. If no
    scheduler answers, `ValueError` says so; if it goes away later, `check` raises `OSError`.
    """

    def __init__(self, address):
        try:
            from distributed import Client
        except ImportError:
            raise ValueError('--scheduler needs Dask: run `pip install -e ".[cluster]"`') from None
        try:
            self.client = Client(address, timeout=10, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ValueError(f"no Dask scheduler answers at {address}: {error}") from None
        self.address, self.executor = address, self.client.get_executor(pure=False)
        self.workers = max(1, sum(self.client.nthreads().values()))

    def submit(self, *task):
        """The future of a task; it is cancelled if the scheduler goes away."""
        try:
            return self.executor.submit(*task)
        except Exception:
            self.check()  # the better message, if the scheduler is the reason
            raise

    def check(self):
        """Raise `OSError` if the scheduler is gone, and does not come back soon."""
        until = time.monotonic() + BACK
        while self.client.status == "connecting" and time.monotonic() < until:
            time.sleep(0.1)
        if self.client.status != "running":
            raise OSError(f"the Dask scheduler at {self.address} is gone. What was marked is kept: start the "
                          f"scheduler again, or leave out --scheduler, and give the same command")  # fmt: skip

    def end(self):
        """Leave the cluster; what its workers still do is dropped."""
        with suppress(OSError):
            self.client.close(timeout=2)
