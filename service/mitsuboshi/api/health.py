"""Whether the process lives, and whether it can serve."""

from __future__ import annotations

from litestar import MediaType, get
from msgspec import Struct

from mitsuboshi.api.problems import documented
from mitsuboshi.api.service import AnyRequest, service_of
from mitsuboshi.host.ports import StoreUnavailable


class Health(Struct, frozen=True):
    """All is well; anything else is a problem document."""

    status: str = "ok"


@get("/health/live", responses=documented(), operation_id="live")
async def live() -> Health:
    """The process runs."""
    return Health()


@get("/health/ready", responses=documented(), operation_id="ready")
async def ready(request: AnyRequest) -> Health:
    """The process runs and its Redis answers."""
    service = service_of(request)
    if service.stopping.is_set():
        raise StoreUnavailable("the process is stopping")
    await service.ping()
    return Health()


@get("/metrics", include_in_schema=False, media_type=MediaType.TEXT)
async def metrics(request: AnyRequest) -> str:
    """What is counted, in Prometheus's text format: of the whole service, and of this process."""
    service = service_of(request)
    own = {"connections": service.connections.count(), "failures": request.app.state.failures}
    numbers = {**await service.counts.counts(), **own}
    return "".join(f"mitsuboshi_{name} {value}\n" for name, value in numbers.items())


ROUTES = [live, ready, metrics]
