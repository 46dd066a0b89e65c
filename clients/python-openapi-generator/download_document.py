"""Stores the OpenAPI document without webhooks, for which openapi-generator 7.26 writes invalid Python."""

import json
import os
from pathlib import Path
from urllib.request import urlopen

URL = os.environ.get("HAVN_URL", "http://127.0.0.1:8080")

with urlopen(f"{URL}/openapi.json") as response:
    document = json.load(response)
del document["webhooks"]
Path("openapi.json").write_text(json.dumps(document))
