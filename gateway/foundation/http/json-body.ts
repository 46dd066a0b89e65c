/** Takes bodies in JSON: none where there is nothing, none that is nested without measure, and long ones piece by piece. */
import type { FastifyBodyParser, FastifyInstance, FastifyRequest } from 'fastify'
import { runLettingOthersIn } from '../let-others-in.ts'
import { dropNullMembers } from './drop-null-members.ts'
import { type ReadPiece, readLongJson } from './read-long-json.ts'
import { refuse } from './refusal.ts'

/** The deepest body of the interface has six levels; what is a hundred times deeper would exhaust the stack. */
const LEVELS_MAX = 64
/** What is shorter is read in less than a millisecond. */
const SHORT_BYTES = 64 * 1024

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
      const value = await readWhole(body, (text, level) => readText(read, request, { text, level }))
      await runLettingOthersIn(dropNullMembers(value))
      return value
    },
  )
}

async function readWhole(body: Buffer, readPiece: ReadPiece): Promise<unknown> {
  if (body.length > SHORT_BYTES) {
    try {
      return await readLongJson(body, readPiece)
    } catch {
      // What is wrong with it is said of the whole.
    }
  }
  return readPiece(body.toString(), 0)
}

/** The framework's way, which refuses names that would change what an object is. */
function readText(
  read: Read,
  request: FastifyRequest,
  { text, level }: { readonly text: string; readonly level: number },
) {
  let value: unknown
  read(request, text, (error, parsed) => {
    if (error !== null) {
      throw error
    }
    value = parsed
  })
  if (isDeeperThan(value, LEVELS_MAX - level)) {
    throw refuse('bad-request', `The body is nested deeper than ${LEVELS_MAX} levels`)
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
