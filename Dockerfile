# One image for every program: `serve`, `worker`, or `up` (the default) for everything in one container.

FROM python:3.12-slim-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY pyproject.toml setup.py README.md LICENSE ./
COPY service service
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels . \
    && python -m venv /opt/mitsuboshi \
    && /opt/mitsuboshi/bin/pip install --no-cache-dir /wheels/*.whl

FROM python:3.12-slim-bookworm
# For `up` and for a `serve` without MITSUBOSHI_REDIS_URL; compose.yaml has a Redis of its own.
RUN apt-get update \
    && apt-get install -y --no-install-recommends redis-server \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home mitsuboshi \
    && install -d -o mitsuboshi -m 700 /data
COPY --from=build /opt/mitsuboshi /opt/mitsuboshi
ENV PATH=/opt/mitsuboshi/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    MITSUBOSHI_HOST=0.0.0.0 \
    MITSUBOSHI_DATA_DIR=/data
USER mitsuboshi
WORKDIR /
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=5s --timeout=4s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen('http://127.0.0.1:' + os.environ.get('MITSUBOSHI_PORT', '8000') + '/health/ready', timeout=3)"]
ENTRYPOINT ["mitsuboshi"]
CMD ["up"]
