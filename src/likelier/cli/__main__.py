"""`python -m likelier.cli`."""

from likelier.cli import main

if __name__ == "__main__":
    main()
