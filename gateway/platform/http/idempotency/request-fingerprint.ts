/** Computes the fingerprint of a request: a digest of what must be equal when it is repeated under its `Idempotency-Key`. */
import { createHash, type Hash } from 'node:crypto'
import { runLettingOthersIn } from '../../yield-to-event-loop.ts'

/** So much is hashed between two turns of other requests. */
const PIECE_CHARACTERS = 16 * 1024

/** What is hashed, and the end of the text that is not hashed yet. */
type Hashing = { readonly hash: Hash; piece: string }

/** Of the body as JSON without white space, which a partner need not repeat. */
export async function fingerprintOf(body: unknown, consentId: string | undefined): Promise<string> {
  const hashing = { hash: createHash('sha256'), piece: `${consentId ?? ''}\n` }
  await runLettingOthersIn(hashJson(hashing, body))
  return hashing.hash.update(hashing.piece).digest('base64url')
}

/** Hashes what `JSON.stringify` answers; nothing for what is not JSON. Yields only after a piece: each level passes it on. */
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
