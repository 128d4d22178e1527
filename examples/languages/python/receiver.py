"""Receives the events of a directory. Run it with: WEBHOOK_SECRET=whsec_… python3 receiver.py"""

import base64
import hashlib
import hmac
import json
import os
import sqlite3
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]
database = sqlite3.connect(os.environ.get("DATABASE", "product.db"), isolation_level=None)
database.execute("create table if not exists positions (directory_id text primary key, sequence integer not null)")
database.execute("create table if not exists users (id text primary key, email text not null, active integer not null)")


def is_signed(headers, body):
    """Whether one of the signatures is right, and no older than five minutes."""
    event_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    is_base64 = SECRET.startswith("whsec_")
    key = base64.b64decode(SECRET[6:] + "==") if is_base64 else SECRET.encode()
    digest = hmac.new(key, f"{event_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    return any([hmac.compare_digest(expected, one) for one in signatures])


def accept(event):
    """Processes an event once and in order. Returns False if events before it are missing."""
    if event["event"] == "endpoint.test":  # not part of the sequence
        return True
    directory_id, sequence = event["directory_id"], event["sequence"]
    database.execute("begin immediate")  # the position is stored in the transaction of the change
    try:
        found = database.execute("select sequence from positions where directory_id = ?", [directory_id]).fetchone()
        last = found[0] if found else None
        if last is not None and sequence <= last:  # processed before: it was sent again
            database.execute("rollback")
            return True
        if last is not None and sequence > last + 1 and event["event"] != "sync.started":
            database.execute("rollback")
            return False
        process(event)
        database.execute("insert or replace into positions values (?, ?)", [directory_id, sequence])
        database.execute("commit")
        return True
    except BaseException:
        database.execute("rollback")
        raise


def process(event):
    """What your product does with a change."""
    data = event["data"]
    if event["event"] in ("user.created", "user.updated", "user.snapshot") and "erased" not in data:
        database.execute("insert or replace into users values (?, ?, ?)", [data["id"], data["email"], data["active"]])
    elif event["event"] in ("user.deleted", "user.erased"):
        database.execute("delete from users where id = ?", [data["id"]])
    print(event["sequence"], event["event"], data.get("id", ""), flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(self.status_of(body))
        self.send_header("content-length", "0")
        self.end_headers()

    def status_of(self, body):
        if not is_signed(self.headers, body):
            return 401
        events = json.loads(body)
        for event in events if isinstance(events, list) else [events]:  # a list in batch mode
            if not accept(event):
                return 503  # it is sent again; meanwhile read the feed, or request a resync
        return 204

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
print(f"listening on {server.server_port}", flush=True)
server.serve_forever()
