"""``python -m reflexio.cli``."""

from reflexio.cli import main

if __name__ == "__main__":
    main()
