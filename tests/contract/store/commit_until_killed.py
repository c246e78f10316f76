"""Child of the SIGKILL test: commits pairs from four threads and prints a line for each that was acknowledged."""

import itertools
import os
import sys
import threading
from pathlib import Path

from reflexio_core.adapters.sqlite import SqliteStore
from reflexio_core.ports.store import Item, Key, Put


def main(path: str, total: int | None) -> None:
    """Commit ``total`` pairs, or go on until killed."""
    store = SqliteStore(Path(path))
    numbers = iter(range(total)) if total else itertools.count()
    lock = threading.Lock()

    def commit() -> None:
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            name = f"{number:09}"
            store.commit([Put(Item(Key(pk, name), {"text": "x" * 300})) for pk in ("left", "right")])
            os.write(1, f"{name}\n".encode())

    threads = [threading.Thread(target=commit) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else None)
