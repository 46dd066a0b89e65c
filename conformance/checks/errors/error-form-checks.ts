/** Checks both forms of errors: the documented fields and nothing else by default, details for who asks for them. */
import { documentedForm } from '../../../contract/errors/documented-form.ts'
import { DETAILED_ERRORS } from '../../../contract/errors/error-bodies.ts'
import { type Check, type CheckContext, documentedIn } from '../../check.ts'
import { requireNone } from '../../expectations.ts'
import { type Answer, describeAnswer } from '../../http/exchange.ts'
import { formsInTurn, harmlessRequest, servedOperations } from '../operations-by-need.ts'

const HELP = /^<[^<>]+#\w+>; rel="help"$/
const ERROR_STATUS_MIN = 400
/** With these the requests below are rejected. */
const STATUSES = [400, 401, 422]

/** The errors of the run so far in this form; a short run requests no others of the same operations. */
function errorsBefore({ target, answers }: CheckContext, prefer: string | null): readonly Answer[] {
  return target.isShort === true
    ? answers.filter(
        ({ operation, request, status }) =>
          operation?.method === request.method &&
          operation.bodyType !== 'form' &&
          (request.headers['prefer'] ?? null) === prefer &&
          STATUSES.includes(status),
      )
    : []
}

/** Sends what every operation rejects: no token, no consent, a malformed body. */
async function errorsOf(context: CheckContext, prefer: string | null): Promise<readonly Answer[]> {
  const answers = [...errorsBefore(context, prefer)]
  const known = new Set(answers.map(({ operation }) => operation?.id))
  for (const operation of servedOperations(context).filter(({ id }) => !known.has(id))) {
    const { params = {} } = harmlessRequest(operation)
    const hasBody = operation.body !== undefined && operation.bodyType !== 'form'
    const requests = [
      ...(operation.admits === 'anyone' ? [] : [{ params, headers: { prefer, authorization: null } }]),
      ...(operation.admits === 'consent' ? [{ params, headers: { prefer } }] : []),
      ...(hasBody ? [{ params, headers: { prefer }, text: '[' }] : []),
    ]
    for (const request of formsInTurn(context, requests)) {
      answers.push(await context.call(operation.id, request))
    }
  }
  return answers.filter(({ status }) => status >= ERROR_STATUS_MIN)
}

export const ERROR_FORM_CHECKS: readonly Check[] = documentedIn('Guide: errors and warnings', [
  {
    id: 'errors-default-form',
    title: 'An error has the documented fields and nothing else',
    rule: 'Without Prefer: errors=detailed bodies are exactly as documented. The header Link has the page of the error.',
    run: async (context) => {
      const answers = await errorsOf(context, null)
      requireNone(answers.flatMap((answer) => [...undocumentedFields(answer), ...linkProblems(answer)]))
    },
  },
  {
    id: 'errors-detailed-form',
    title: 'An error has details for who asks for them',
    rule: 'With Prefer: errors=detailed each error has code, path, message and docs, and Preference-Applied confirms it.',
    run: async (context) => {
      const answers = await errorsOf(context, DETAILED_ERRORS)
      requireNone(answers.flatMap((answer) => [...missingDetails(answer), ...linkProblems(answer)]))
    },
  },
])

/** What the body has in addition to the documented fields. */
function undocumentedFields({ operation, status, body, ...answer }: Answer): readonly string[] {
  if (typeof body !== 'object' || body === null) {
    return []
  }
  const expected = JSON.stringify(documentedForm(operation, status, body))
  return expected === JSON.stringify(body)
    ? []
    : [
        `${describeAnswer({ operation, status, body, ...answer })} with ${answer.text.slice(0, 300)}, expected ${expected}`,
      ]
}

function missingDetails(answer: Answer): readonly string[] {
  const { body, headers } = answer
  if (typeof body !== 'object' || body === null) {
    return []
  }
  const errors: readonly unknown[] = Array.isArray(body) ? body : [Object(body).errors ?? []].flat()
  const isComplete = (error: unknown) => ['code', 'path', 'message', 'docs'].every((name) => name in Object(error))
  return [
    ...(errors.length > 0 && errors.every(isComplete) ? [] : [`${describeAnswer(answer)} without details`]),
    ...(headers.get('preference-applied')?.includes(DETAILED_ERRORS) === true
      ? []
      : [`${describeAnswer(answer)} without Preference-Applied: ${DETAILED_ERRORS}`]),
  ]
}

function linkProblems(answer: Answer): readonly string[] {
  const link = answer.headers.get('link')
  return HELP.test(link ?? '') ? [] : [`${describeAnswer(answer)} with Link ${String(link)}, expected a rel="help"`]
}
