"""Runs the real LeaderElection on a clock and a lock that are lines of JSON on standard input and output.

Each line out is a call: a request of the lock, a sleep, or a callback. Each line in is its answer, with the time at which
it comes, in nanoseconds since 1970. An answer with a lease begins another election in place of the one that goes on.
"""

import datetime
import importlib
import json
import os
import sys
import threading
import time
import types

os.environ["TZ"] = "UTC"
time.tzset()
# The package of the client needs modules that an election does not.
package = types.ModuleType("kubernetes")
package.__path__ = [os.path.join(sys.argv[1], "kubernetes")]
sys.modules["kubernetes"] = package
election = importlib.import_module("kubernetes.leaderelection.leaderelection")
record_type = importlib.import_module("kubernetes.leaderelection.leaderelectionrecord").LeaderElectionRecord
config_type = importlib.import_module("kubernetes.leaderelection.electionconfig").Config

EPOCH = datetime.datetime(1970, 1, 1)
clock = {"now": 0}


class Begin(BaseException):
    """Ends an election, since another begins."""


def told():
    line = sys.stdin.readline()
    if not line:
        os._exit(0)
    answer = json.loads(line)
    clock["now"] = answer["now"]
    if "lease" in answer:
        raise Begin(answer)
    return answer


def call(**what):
    print(json.dumps(what), flush=True)
    return told()


def micros(text):
    when = datetime.datetime.fromisoformat(text) - EPOCH
    return (when.days * 86400 + when.seconds) * 1000000 + when.microseconds


def as_text(us):
    return str(EPOCH + datetime.timedelta(microseconds=us))


class Failure:
    """What the lock returns in place of a record: an answer of the server that is an error."""

    def __init__(self, code):
        self.body = json.dumps({"code": code})
        self.reason = str(code)


class Lock:
    name, namespace, identity = "lock", "default", "a"

    def get(self, name, namespace):
        answer = call(verb="get")
        if answer["code"] != 200:
            return False, Failure(answer["code"])
        r = answer["record"]
        if not r["holder"]:
            return True, record_type(None, str(r["seconds"]), as_text(r["acquire"]), as_text(r["renew"]))
        return True, record_type(r["holder"], str(r["seconds"]), as_text(r["acquire"]), as_text(r["renew"]))

    def write(self, verb, record):
        return call(verb=verb, record={
            "holder": record.holder_identity, "seconds": int(record.lease_duration),
            "acquire": micros(record.acquire_time), "renew": micros(record.renew_time)})["code"] == 200

    def create(self, name, namespace, election_record):
        return self.write("create", election_record)

    def update(self, name, namespace, record):
        return self.write("update", record)


class Clock:
    def time(self):
        return clock["now"] / 1e9

    def sleep(self, seconds):
        call(sleep=round(seconds * 1000))


class Thread:
    """Calls onstarted_leading at once, so that the order of events does not depend on threads."""

    def __init__(self, target, args=(), **_):
        self.start = lambda: target(*args)


election.time = Clock()
election.threading = types.SimpleNamespace(Thread=Thread, Event=threading.Event)
elect = told
while True:
    try:
        elect()
        call(returned=True)
    except Begin as begin:
        timings = begin.args[0]
        config = config_type(Lock(), timings["lease"], timings["renew"], timings["retry"],
                             lambda *_: call(work=True), lambda: call(stopped=True))
        elect = election.LeaderElection(config).run
