"""The terminal client: it draws, asks and reports, and leaves every rule to the server's public API."""
