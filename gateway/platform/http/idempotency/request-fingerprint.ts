/** Computes the fingerprint of a request: a digest of everything that must be equal under one `Idempotency-Key`. */
import { createHash, type Hash } from 'node:crypto'
import { runYieldingToEventLoop } from '../../yield-to-event-loop.ts'

/** How much is hashed between two yields to the event loop. */
const PIECE_CHARACTERS = 16 * 1024

/** The hash, and the end of the text that is not hashed yet. */
type Hashing = { readonly hash: Hash; piece: string }

/** Of the body as JSON without white space, since a partner need not repeat white space. */
export async function fingerprintOf(body: unknown, consentId: string | undefined): Promise<string> {
  const hashing = { hash: createHash('sha256'), piece: `${consentId ?? ''}\n` }
  await runYieldingToEventLoop(hashJson(hashing, body))
  return hashing.hash.update(hashing.piece).digest('base64url')
}

/**
 * Hashes what `JSON.stringify` would return; nothing for values that are not JSON. Yields only after a piece: every
 * level of the recursion passes a yield on.
 */
function* hashJson(hashing: Hashing, value: unknown): Generator<void, void> {
  if (typeof value !== 'object' || value === null) {
    hashing.piece += JSON.stringify(value) ?? ''
  } else {
    const names = Array.isArray(value) ? undefined : Object.keys(value)
    const count = names?.length ?? Object(value).length
    hashing.piece += names === undefined ? '[' : '{'
    for (let index = 0; index < count; index += 1) {
      const name = names?.[index]
      hashing.piece += `${index === 0 ? '' : ','}${name === undefined ? '' : `${JSON.stringify(name)}:`}`
      yield* hashJson(hashing, Reflect.get(value, name ?? index))
    }
    hashing.piece += names === undefined ? ']' : '}'
  }
  if (hashing.piece.length >= PIECE_CHARACTERS) {
    hashing.hash.update(hashing.piece)
    hashing.piece = ''
    yield
  }
}
