/** Streams the part of a page that lives as server-sent events: its markup again, each time that it has changed. */
import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { wallMilliseconds } from '../../gateway/platform/clock.ts'
import type { LiveVersions, VersionReader } from './live-versions.ts'

/** A part of a page, and what it is about. */
export type LivePart = {
  readonly reader: VersionReader
  readonly subject: string
  /** Undefined ends the stream: the user has signed out, or may not see it any more. */
  readonly render: () => Promise<string | undefined>
}

export type LiveStreams = {
  send(reply: FastifyReply, part: LivePart): FastifyReply
  /** Ends all streams; browsers connect again, to another process if this one is gone. */
  close(): void
}

/** Browsers connect again after it, with whatever has become of their session. */
const STREAM_MILLISECONDS = 5 * 60 * 1000
/** Proxies close connections on which nothing is sent. */
const HEARTBEAT_MILLISECONDS = 20_000
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // nginx would wait for a full buffer.
  'x-accel-buffering': 'no',
}

export function openLiveStreams(versions: LiveVersions): LiveStreams {
  const open = new Set<PassThrough>()
  return {
    send: (reply, { reader, subject, render }) => {
      const stream = new PassThrough()
      open.add(stream)
      stream.write(':\n\n')
      const stop = versions.watch(
        reader,
        subject,
        onceAtATime(() => writePart(stream, render)),
      )
      const heartbeat = setInterval(() => stream.write(':\n\n'), HEARTBEAT_MILLISECONDS)
      const end = setTimeout(() => stream.end(), STREAM_MILLISECONDS)
      stream.once('close', () => {
        stop()
        clearInterval(heartbeat)
        clearTimeout(end)
        open.delete(stream)
      })
      return reply.headers(HEADERS).send(stream)
    },
    close: () => {
      for (const stream of open) {
        stream.end()
      }
    },
  }
}

/** A part that cannot be rendered ends its stream: the browser connects again a moment later. */
async function writePart(stream: PassThrough, render: () => Promise<string | undefined>): Promise<void> {
  const markup = await render().catch(() => undefined)
  if (!stream.writable) {
    return
  }
  if (markup === undefined) {
    stream.end()
  } else {
    const lines = markup.split('\n').map((line) => `data: ${line}\n`)
    stream.write(`${lines.join('')}\n`)
  }
}

/** Calls in between are one call afterwards. */
function onceAtATime(run: () => Promise<void>): () => void {
  let isRunning = false
  let isDue = false
  const loop = async () => {
    isRunning = true
    while (isDue) {
      isDue = false
      await run()
    }
    isRunning = false
  }
  return () => {
    isDue = true
    if (!isRunning) {
      void loop()
    }
  }
}

/** Renders the part with this key, unless that has just begun. Of one key, all users must see the same. */
export type ShareRendering = (key: string, render: () => Promise<string>) => Promise<string>

/** Shorter than the interval of polls: what a poll notices is rendered after it. */
const SHARED_MILLISECONDS = 1_000

type Shared = { readonly begun: number; readonly markup: Promise<string> }

export function shareRendering(now: () => number = wallMilliseconds): ShareRendering {
  const shared = new Map<string, Shared>()
  return async (key, render) => {
    const begun = now()
    for (const [other, entry] of shared) {
      if (begun - entry.begun >= SHARED_MILLISECONDS) {
        shared.delete(other)
      }
    }
    const entry = shared.get(key) ?? { begun, markup: render() }
    shared.set(key, entry)
    return await entry.markup
  }
}
