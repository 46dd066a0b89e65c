/** What the control APIs of the sandbox's programs have in common: their errors, that no other site calls them, and which texts they reject. */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import { findInvalidStrings } from '../gateway/platform/http/validation/validate-strings.ts'
import { isId } from '../gateway/platform/ids.ts'
import type { Log } from '../gateway/platform/observability/log.ts'

/** Thrown by control routes; rendered as `{message}` with the status. */
export class ControlError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'ControlError'
    this.status = status
  }
}

/** All responses of the scope are JSON, also those of errors. */
export function guardControlScope(scope: FastifyInstance, log: Log): void {
  scope.addHook('onRequest', async ({ headers }) => {
    // Rejects cross-site requests of a browser on this machine.
    const site = headers['sec-fetch-site']
    if (site === 'cross-site' || site === 'same-site') {
      throw new ControlError(403, 'The control API is not for other sites')
    }
  })
  scope.addHook('preHandler', async ({ params }) => {
    if (typeof params === 'object' && params !== null && 'id' in params && !isId(String(params.id))) {
      throw new ControlError(404, 'No such id')
    }
  })
  scope.setErrorHandler(async (error, _request, reply) => {
    const status = error instanceof ControlError ? error.status : statusOfError(error)
    if (status >= 500) {
      log.error({ err: error }, 'a control call failed')
    }
    return reply.code(status).send({ message: error instanceof Error ? error.message : 'Failed' })
  })
}

/** A delay by wall time; a longer timer than this ends at once. */
export const Milliseconds = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })

/** A delay by business time, of up to a hundred years. */
export const Seconds = Type.Integer({ minimum: 0, maximum: 100 * 366 * 24 * 60 * 60 })

type ParamsOf<Url extends string> = Url extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [Param in Name]: string } & ParamsOf<Rest>
  : Url extends `${string}:${infer Name}`
    ? { readonly [Param in Name]: string }
    : object

/** Registers an action by its URL, the schema of its body, and what it does. */
export function onPost<Url extends string, Body extends TSchema>(
  scope: FastifyInstance,
  url: Url,
  body: Body,
  act: (body: Static<Body>, params: ParamsOf<Url>) => object | Promise<object>,
): void {
  scope.post(url, { schema: { body } }, async (request) =>
    // The server has validated the body.
    act(request.body as Static<Body>, request.params as ParamsOf<Url>),
  )
}

/** What was found; throws an error of status 404 where that is nothing. */
export function requireFound<Found>(found: Found | undefined, message: string): Found {
  if (found === undefined) {
    throw new ControlError(404, message)
  }
  return found
}

/** The status of an error of the framework; 500 for any other. */
export function statusOfError(error: unknown): number {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' ? status : 500
}

/** Throws an error of status 400 for such text in the path, the query or the body. */
export async function requireStorableTexts({ params, query, body }: FastifyRequest): Promise<void> {
  for (const part of [params, query, body]) {
    const [first] = await findInvalidStrings(part, 1)
    if (first !== undefined) {
      throw Object.assign(new Error(`${first.path}: ${first.reason}`), { statusCode: 400 })
    }
  }
}
