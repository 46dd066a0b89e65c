/** Checks path, query and body of a request, by schema and by rules: every problem at once, in body order. */
import type { FastifyRequest } from 'fastify'
import type { Operation } from '../../../../contract/operation.ts'
import { Invalid, type Problem, refuse, Unreadable, withSubject } from '../errors/api-error.ts'
import type { Admitted } from '../operations/authorise-request.ts'
import type { PartnerIdentity, Served, Unkeyed } from '../operations/served-operation.ts'
import { replaceMistypedMembers } from './replace-mistyped-fields.ts'
import {
  bodyCheck,
  inBodyOrder,
  isSound,
  PROBLEMS_MAX,
  queryCheck,
  type ShapeCheck,
  withTextProblems,
} from './schema-validation.ts'
import { faultOfText, invalidTexts } from './validate-strings.ts'

/** The compiled schemas of an operation. */
export type Checks = { readonly params: ShapeCheck; readonly query: ShapeCheck; readonly body: ShapeCheck }

/** An operation with how it is served. */
export type Serving<O extends Operation, Partner, Consent> = {
  readonly operation: O
  readonly how: Served<O, Partner, Consent>
  readonly checks: Checks
}

const NO_PROBLEMS: ShapeCheck = () => []

/** Compiles an operation's schemas. */
export function checksOf(operation: Operation): Checks {
  return {
    params: operation.params === undefined ? NO_PROBLEMS : queryCheck(operation.params),
    query: operation.query === undefined ? NO_PROBLEMS : queryCheck(operation.query),
    body: operation.body === undefined ? NO_PROBLEMS : bodyCheck(operation.body),
  }
}

/** The call, when nothing is wrong with it. Throws `Invalid`, or 404 for an id that cannot be one. */
export async function checkRequest<O extends Operation, Partner extends PartnerIdentity, Consent>(
  { operation, how, checks }: Serving<O, Partner, Consent>,
  admitted: Admitted<Partner, Consent>,
  request: FastifyRequest,
): Promise<Unkeyed<O, Partner, Consent>> {
  const params = Object.values(Object(request.params))
  if (checks.params(request.params).length > 0 || params.some((text) => faultOfText(String(text)) !== undefined)) {
    throw refuse('not-found', 'There is nothing with this id')
  }
  const body = bodyOf(operation, request)
  const caller =
    admitted.partner === null ? null : { ...admitted.partner, psu: admitted.psu, consent: admitted.consent }
  const identity = { requestId: request.id, authorization: request.headers.authorization }
  // The shapes are checked just below against the schemas that these types are read from.
  const call = { caller, params: request.params, query: request.query, body, ...identity } as unknown as Unkeyed<
    O,
    Partner,
    Consent
  >
  const texts = await invalidTexts(operation.body === undefined ? request.query : body, PROBLEMS_MAX)
  const problems = await problemsOf({ operation, how, checks }, call, { query: request.query, texts })
  if (problems.length > 0) {
    throw how.refuseShape?.(problems) ?? refusalOf(operation, problems)
  }
  return call
}

async function problemsOf<O extends Operation, Partner extends PartnerIdentity, Consent>(
  { operation, how, checks }: Serving<O, Partner, Consent>,
  call: Unkeyed<O, Partner, Consent>,
  { query, texts }: { readonly query: unknown; readonly texts: readonly Problem[] },
): Promise<readonly Problem[]> {
  if (texts.length === PROBLEMS_MAX) {
    return texts
  }
  if (how.judge !== undefined) {
    return await how.judge(call, texts)
  }
  const inSchema = [...checks.query(query), ...(operation.body === undefined ? [] : checks.body(call.body))]
  const shapeProblems = withTextProblems(inSchema, texts).slice(0, PROBLEMS_MAX)
  // Which parts are sound is not known once the list is full.
  const mayRelyOn = shapeProblems.length < PROBLEMS_MAX ? how.rules : undefined
  const readable = { ...call, body: replaceMistypedMembers(call.body, shapeProblems) }
  const ruleProblems = (await mayRelyOn?.(readable, (path) => isSound(path, shapeProblems))) ?? []
  const asked = operation.body === undefined ? query : call.body
  return inBodyOrder([...shapeProblems, ...ruleProblems], asked).slice(0, PROBLEMS_MAX)
}

function refusalOf({ malformed }: Operation, problems: readonly Problem[]): Error {
  if (malformed === 400) {
    return refuse('bad-request', problems.map((problem) => withSubject(problem).reason).join('; '))
  }
  const unreadable = malformed === 'parsing-error' ? problems.find(({ parsing }) => parsing !== undefined) : undefined
  return unreadable?.parsing === undefined ? new Invalid(problems) : new Unreadable(unreadable.parsing, unreadable)
}

/** The server reads JSON and forms; each operation takes one of them. Comes before anybody is asked who they are. */
export function requireMediaType({ body: schema, bodyType }: Operation, { body }: FastifyRequest): void {
  const isForm = body instanceof URLSearchParams
  if (schema !== undefined && body !== undefined && isForm !== (bodyType === 'form')) {
    throw refuse('unsupported-media-type', `Send the body as ${isForm ? 'application/json' : 'a form'}`)
  }
}

function bodyOf(operation: Operation, request: FastifyRequest): unknown {
  if (operation.body === undefined) {
    return undefined
  }
  if (request.body === undefined || request.body === null) {
    throw refuse('unreadable', 'The request has no body')
  }
  return request.body instanceof URLSearchParams ? membersOf(request.body) : request.body
}

/** A parameter that is repeated becomes an array, as in a query, so that its schema refuses it. */
function membersOf(form: URLSearchParams): Record<string, string | string[]> {
  const members = new Map<string, string | string[]>()
  for (const [name, value] of form) {
    const earlier = members.get(name)
    members.set(name, earlier === undefined ? value : [earlier, value].flat())
  }
  return Object.fromEntries(members)
}
