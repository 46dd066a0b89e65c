/** Parses JSON bodies: rejects excessive nesting, parses long ones in pieces, and normalises every field. */
import { isUtf8 } from 'node:buffer'
import type { FastifyBodyParser, FastifyInstance, FastifyRequest } from 'fastify'
import { runYieldingToEventLoop } from '../concurrency.ts'
import { plainCode } from '../copied-text.ts'
import { InvalidJsonError, JsonLimitError, TOKEN_BYTES_MAX, TOKEN_TOO_LONG_MESSAGE } from '../json/json-bytes.ts'
import { BYTES_PER_VALUE, nestedTooDeepMessage, type ParseChunk, PIECE_BYTES } from '../json/json-document.ts'
import { parseLongJson } from '../json/read-json.ts'
import { unescapeMemberNames } from '../parse-json.ts'
import { countReceivedBody } from './client-limits.ts'
import { apiError } from './errors/api-error.ts'

/** The deepest body of the API has six levels; a body a hundred times deeper would exhaust the stack. */
const LEVELS_MAX = 64
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a JSON body may hold U+0000 or a lone surrogate: its bytes are UTF-8, so that both need an escape. */
    mayHaveInvalidStrings: boolean
  }
}

/**
 * An empty body counts as absent in every operation. Pieces are parsed by Fastify's own parser, which rejects field names
 * that would pollute prototypes.
 */
export function registerJsonParser(server: FastifyInstance): void {
  server.decorateRequest('mayHaveInvalidStrings', false)
  const read: FastifyBodyParser<string> = server.getDefaultJsonParser('error', 'ignore')
  const parse = async (request: FastifyRequest, body: Buffer) => {
    countReceivedBody(request, body.length)
    if (body.length === 0) {
      return undefined
    }
    if (!isUtf8(body)) {
      throw apiError('unreadable', 'The body is not valid JSON: it is not in UTF-8')
    }
    const readPiece: ParseChunk = (text) => {
      request.mayHaveInvalidStrings ||= text.includes('\\u')
      let value: unknown
      read(request, unescapeMemberNames(text), (error, parsed) => {
        if (error !== null) {
          throw error
        }
        value = parsed
      })
      return value
    }
    const value = body.length > PIECE_BYTES ? await readLongBody(request, body, readPiece) : readPiece(body.toString())
    await runYieldingToEventLoop(normaliseBody(value))
    return value
  }
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse)
}

/** In pieces, unless the body is a single string or number. */
async function readLongBody(
  { routeOptions: { bodyLimit } }: FastifyRequest,
  body: Buffer,
  readPiece: ParseChunk,
): Promise<unknown> {
  const bytes = BYTE_ORDER_MARK.equals(body.subarray(0, BYTE_ORDER_MARK.length))
    ? body.subarray(BYTE_ORDER_MARK.length)
    : body
  if (/^\s*[^\s[{]/.test(bytes.toString('latin1', 0, PIECE_BYTES))) {
    if (bytes.length > TOKEN_BYTES_MAX) {
      throw apiError('bad-request', TOKEN_TOO_LONG_MESSAGE)
    }
    return readPiece(bytes.toString())
  }
  try {
    const valuesMax = Math.floor(bodyLimit / BYTES_PER_VALUE)
    return await parseLongJson(bytes, { readPiece, levelsMax: LEVELS_MAX, valuesMax })
  } catch (error) {
    if (error instanceof JsonLimitError) {
      throw apiError('bad-request', error.message)
    }
    throw error instanceof InvalidJsonError ? apiError('unreadable', 'The body is not valid JSON') : error
  }
}

/** Fields that are visited between two yields to the event loop. */
const MEMBERS_PER_STEP = 500

/** A text without characters from the first combining one on is in NFC. */
const MAY_BE_DECOMPOSED = /[\u0300-\uffff]/
/** Has one form in every country, unlike the other identifiers that are copied. */
const BIC = 'bic'
/** Of ids and URLs every character counts; an endToEndId is returned as it was sent. */
const IS_IDENTIFIER = /(?:Id|Url)$/

/**
 * Changes the value itself; elements of lists stay, also those that are null. Yields to the event loop. Throws for a value
 * that is nested too deep: a walk over it would exhaust the stack. Depth first: a list of the values still to be visited
 * would be as long as the body, and slow to grow.
 */
export function* normaliseBody(container: unknown, visited = { count: 0 }, level = 1): Generator<void, void> {
  if (typeof container !== 'object' || container === null) {
    return
  }
  if (level > LEVELS_MAX) {
    throw apiError('bad-request', nestedTooDeepMessage(LEVELS_MAX))
  }
  const names = Array.isArray(container) ? undefined : Object.keys(container)
  const count = names?.length ?? Object(container).length
  for (let index = 0; index < count; index += 1) {
    const name = names?.[index]
    const member: unknown = Reflect.get(container, name ?? index)
    if (typeof member === 'object' && member !== null) {
      yield* normaliseBody(member, visited, level + 1)
    } else if (member === null && name !== undefined) {
      Reflect.deleteProperty(container, name)
    } else if (typeof member === 'string' && name === BIC) {
      setMember(container, name, plainCode(member))
    } else if (typeof member === 'string' && MAY_BE_DECOMPOSED.test(member) && !IS_IDENTIFIER.test(name ?? '')) {
      setMember(container, name ?? index, member.normalize('NFC'))
    }
    visited.count += 1
    if (visited.count % MEMBERS_PER_STEP === 0) {
      yield
    }
  }
}

/** A member may be named like the object's prototype. */
function setMember(container: object, name: string | number, value: string): void {
  Object.defineProperty(container, name, { value, configurable: true, enumerable: true, writable: true })
}
