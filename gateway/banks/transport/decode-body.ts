/** Decodes what banks send to text: UTF-8, or the UTF-16 that its byte order mark names. The mark is no part of the text. */

const MARK_BYTES_MAX = 3

/** The text of a whole body or file. Bytes that are invalid become U+FFFD. */
export function decodeBody(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes)
}

/** A body in parts, as UTF-8 without a byte order mark. Ending the iteration ends that of the parts. */
export async function* decodeParts(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array = new Uint8Array()
  let decode: ((part: Uint8Array) => Uint8Array) | undefined
  for await (const part of parts) {
    if (decode !== undefined) {
      yield decode(part)
      continue
    }
    start = start.length === 0 ? part : Buffer.concat([start, part])
    if (start.length >= MARK_BYTES_MAX) {
      decode = decoderOf(start)
      yield decode(start.subarray(markBytesOf(start)))
    }
  }
  if (decode === undefined) {
    yield start.subarray(markBytesOf(start))
  }
}

/** Parts in UTF-8 are passed on as they are: what reads them decodes characters that span two parts. */
function decoderOf(start: Uint8Array): (part: Uint8Array) => Uint8Array {
  const encoding = encodingOf(start)
  if (encoding === 'utf-8') {
    return (part) => part
  }
  const decoder = new TextDecoder(encoding)
  return (part) => Buffer.from(decoder.decode(part, { stream: true }))
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) {
    return 'utf-16le'
  }
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

function markBytesOf(start: Uint8Array): number {
  const [first, second, third] = start
  if (encodingOf(start) !== 'utf-8') {
    return 2
  }
  return first === 0xef && second === 0xbb && third === 0xbf ? MARK_BYTES_MAX : 0
}
