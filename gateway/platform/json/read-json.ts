/** Reads long JSON: a text in memory with yields to the event loop, or a stream whose lists are passed on. */
import { runYieldingToEventLoop } from '../concurrency.ts'
import { JsonLimitError } from './json-bytes.ts'
import {
  type JsonElements,
  MORE,
  type Reading,
  type ReadJsonOptions,
  readDocument,
  type StreamJsonOptions,
  startReading,
} from './json-document.ts'

/**
 * Returns what `JSON.parse` would for an object or an array in UTF-8. Throws `InvalidJsonError`, or what `readPiece`
 * throws, where that would throw, and `JsonLimitError`.
 */
export async function parseLongJson(bytes: Buffer, options: ReadJsonOptions): Promise<unknown> {
  return await runYieldingToEventLoop(readDocument(startReading(bytes, { ...options, lists: [] })))
}

/** The same from a stream: passes the elements of the lists on, and returns the rest. Closes the stream. */
export async function* streamJson(
  parts: AsyncIterable<Uint8Array>,
  { heldBytesMax, ...options }: StreamJsonOptions,
): AsyncGenerator<JsonElements, unknown> {
  const source = parts[Symbol.asyncIterator]()
  const reading = { ...startReading(Buffer.alloc(0), options), isComplete: false }
  const work = readDocument(reading)
  try {
    for (let step = work.next(); ; step = work.next()) {
      if (step.done === true) {
        return step.value
      }
      if (step.value === MORE) {
        await append(reading, source)
        requireHeld(reading, heldBytesMax)
      } else if (step.value !== undefined) {
        yield step.value
      }
    }
  } finally {
    await source.return?.()
  }
}

/** For what is longer than a piece, as many bytes as are there already: the step that ran out of them starts again. */
async function append(reading: Reading, source: AsyncIterator<Uint8Array>): Promise<void> {
  const parts: Uint8Array[] = [reading.bytes.subarray(reading.at)]
  const rest = reading.bytes.length - reading.at
  const wanted = rest > reading.pieceBytes ? rest : 0
  let bytes = 0
  do {
    const next = await source.next()
    if (next.done === true) {
      reading.isComplete = true
    } else {
      parts.push(next.value)
      bytes += next.value.length
    }
  } while (bytes < wanted && !reading.isComplete)
  reading.dropped += reading.at
  reading.bytes = Buffer.concat(parts)
  reading.at = 0
}

function requireHeld({ dropped, at, passedOn }: Reading, heldBytesMax: number): void {
  if (dropped + at - passedOn > heldBytesMax) {
    throw new JsonLimitError(`More than ${heldBytesMax} bytes are in one element, or outside of the lists`)
  }
}
