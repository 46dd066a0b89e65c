/** Takes bodies in JSON: none where there is nothing, none that is nested without measure, and long ones piece by piece. */
import { isUtf8 } from 'node:buffer'
import type { FastifyBodyParser, FastifyInstance, FastifyRequest } from 'fastify'
import { withPlainNames } from '../parse-json.ts'
import { runLettingOthersIn } from '../yield-to-event-loop.ts'
import { dropNullMembers } from './drop-null-fields.ts'
import { refuse } from './errors/api-error.ts'
import {
  NotJson,
  nestedTooDeep,
  type ReadPiece,
  readLongJson,
  TOKEN_BYTES_MAX,
  TOKEN_TOO_LONG,
  TooLong,
} from './parse-long-json.ts'

/** The deepest body of the interface has six levels; what is a hundred times deeper would exhaust the stack. */
const LEVELS_MAX = 64
/** What is shorter is read in less than a millisecond. */
const SHORT_BYTES = 64 * 1024
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

type Read = FastifyBodyParser<string>

/** An empty body is no body, wherever an operation defines none. */
export function takeJson(server: FastifyInstance): void {
  const read = server.getDefaultJsonParser('error', 'ignore')
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) {
        return undefined
      }
      if (!isUtf8(body)) {
        throw refuse('unreadable', 'The body is not valid JSON: it is not in UTF-8')
      }
      const readPiece: ReadPiece = (text, level) => readText(read, request, { text, level })
      const value = body.length > SHORT_BYTES ? await readLong(body, readPiece) : readPiece(body.toString(), 0)
      await runLettingOthersIn(dropNullMembers(value))
      return value
    },
  )
}

/** Piece by piece, unless it is one text or one number. */
async function readLong(body: Buffer, readPiece: ReadPiece): Promise<unknown> {
  const bytes = BYTE_ORDER_MARK.equals(body.subarray(0, BYTE_ORDER_MARK.length))
    ? body.subarray(BYTE_ORDER_MARK.length)
    : body
  if (/^\s*[^\s[{]/.test(bytes.toString('latin1', 0, SHORT_BYTES))) {
    if (bytes.length > TOKEN_BYTES_MAX) {
      throw refuse('bad-request', TOKEN_TOO_LONG)
    }
    return readPiece(bytes.toString(), 0)
  }
  try {
    return await readLongJson(bytes, { readPiece, levelsMax: LEVELS_MAX })
  } catch (error) {
    if (error instanceof TooLong) {
      throw refuse('bad-request', error.message)
    }
    throw error instanceof NotJson ? refuse('unreadable', 'The body is not valid JSON') : error
  }
}

/** The framework's way, which refuses names that would change what an object is. */
function readText(
  read: Read,
  request: FastifyRequest,
  { text, level }: { readonly text: string; readonly level: number },
) {
  let value: unknown
  read(request, withPlainNames(text), (error, parsed) => {
    if (error !== null) {
      throw error
    }
    value = parsed
  })
  if (isDeeperThan(value, LEVELS_MAX - level)) {
    throw refuse('bad-request', nestedTooDeep(LEVELS_MAX))
  }
  return value
}

/** Level by level and without recursion, which is what a deep body is meant to exhaust. */
function isDeeperThan(body: unknown, levels: number): boolean {
  let level = [body].filter(isContainer)
  for (let depth = 0; depth < levels && level.length > 0; depth += 1) {
    level = level.flatMap((container) => Object.values(container).filter(isContainer))
  }
  return level.length > 0
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
