"""`python -m likelier`."""

from likelier._cli import main

if __name__ == "__main__":
    main()
