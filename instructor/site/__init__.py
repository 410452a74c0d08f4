"""Makes the course a folder of plain files for a web host: pages to read, and pages that run in the browser."""
