"""`python -m linspike` is `linspike`."""

from linspike.cli import main

if __name__ == "__main__":
    main()
