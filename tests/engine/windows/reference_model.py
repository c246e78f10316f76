"""The window rules, as plainly as they can be said: everything in one list, looked at afresh each time."""

from dataclasses import dataclass, field


@dataclass
class Publication:
    session: str
    seqs: list[int]
    window: int
    stride: int
    idle: int
    at: float
    last: int
    force: bool = False
    finished: bool = False
    eligible: bool = True


@dataclass
class Model:
    publications: list[Publication] = field(default_factory=list)
    done: int = 0
    ran: bool = False
    windows: list[tuple[tuple[int, ...], int, bool]] = field(default_factory=list)

    def work(self, now: float) -> None:
        while self.step(now):
            pass

    def step(self, now: float) -> bool:
        pubs = self.publications
        rows = [(seq, p) for p in pubs if p.eligible for seq in p.seqs]
        waiting = [row for row in rows if row[0] > self.done]
        if not waiting:
            return False
        window, stride = waiting[0][1].window, waiting[0][1].stride
        context = [seq for seq, _ in rows if seq <= self.done][-window:]
        need = max(stride, window - len(context)) if self.ran else window
        new = waiting[:window]
        first = {p.session: seq for seq, p in reversed(waiting)}
        latest = [[p for p in pubs if p.session == session][-1] for session in first]
        forces = [p.last for p in pubs if p.force and p.eligible and p.last > self.done and p.seqs]
        ends = [p.last for p in pubs if p.finished and first.get(p.session, p.last + 1) <= p.last]
        idle = [p.last for p in latest if len(new) < need and 0 < p.idle <= now - p.at]
        barrier = min(forces or ends or idle, default=None)
        if barrier is not None:
            new = [row for row in new if row[0] <= barrier]
        elif len(new) < need:
            return False
        new = new[:need]
        if not new:
            return False
        seqs = [seq for seq, _ in new]
        self.windows.append((tuple((context + seqs)[-window:]), seqs[-1], bool(forces)))
        self.done, self.ran = seqs[-1], True
        return True
