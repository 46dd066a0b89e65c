/** Tests that one mistake in one field of any operation gets an error that names the field and says what to do. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DETAILED_ERRORS } from '../contract/errors/error-bodies.ts'
import { checkResponse } from './testing/contract/check-response.ts'
import { type FieldMistake, fieldMistakes, MISTAKE_KINDS } from './testing/contract/field-mistakes.ts'
import { writeRequest } from './testing/contract/mutated-requests.ts'
import { countSideEffects } from './testing/contract/send-raw-request.ts'
import { validRequests } from './testing/contract/valid-requests.ts'
import { type GatewayWithFx, startGatewayWithFx } from './testing/fx/fx-provider-fixture.ts'

/** How many mistakes of each kind an operation is sent; all of them in long runs. */
const MISTAKES_EACH = Number(process.env['HAVN_FIELD_MISTAKES'] ?? 1)
const TEST_MILLISECONDS = 300_000
/** What to do: a requirement, or an instruction. */
const ADVICE = /\b(must|required|use|remove|send|choose|at most|at least)\b/i
/** Texts of JSON Schema validators, of which ours may be one. */
const VALIDATOR_TEXTS =
  /must NOT|must match|should|instancePath|schemaPath|additional propert|Expected |\^|\\d|\[A-Z|has the wrong format/

let stage: GatewayWithFx
let mistakes: readonly FieldMistake[]
beforeAll(async () => {
  const settings = { HAVN_REQUESTS_PER_SECOND: '100000', HAVN_TOKEN_REQUESTS_PER_MINUTE: '100000' }
  stage = await startGatewayWithFx({ settings })
  const byOperation = Map.groupBy(await validRequests(stage.gateway), ({ operation }) => operation.id)
  mistakes = [...byOperation.values()].flatMap((requests) =>
    chosen(requests.flatMap((each) => [...fieldMistakes(each)])),
  )
})
afterAll(() => stage.close())

/** Of each kind the last ones, which are deep in the body. */
function chosen(all: readonly FieldMistake[]): readonly FieldMistake[] {
  return MISTAKE_KINDS.flatMap((kind) => all.filter((each) => each.kind === kind).slice(-MISTAKES_EACH))
}

type Detail = { readonly code?: string; readonly path?: string; readonly message?: string; readonly rule?: string }

test('a mistake in a field is answered with its code, its path and what to do, and nothing is stored', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  const before = await storedRows()
  const faults: string[] = []
  for (const mistake of mistakes) {
    faults.push(...(await faultsIn(mistake)))
  }
  expect(faults).toEqual([])
  expect(new Set(mistakes.map(({ kind }) => kind))).toEqual(new Set(MISTAKE_KINDS))
  expect(await storedRows()).toEqual(before)
})

/** Without calls to the bank, which may be polls of what was stored before. */
async function storedRows(): Promise<object> {
  const { bankCalls: _polls, ...rows } = await countSideEffects(stage.gateway)
  return rows
}

async function faultsIn(mistake: FieldMistake): Promise<readonly string[]> {
  const { kind, request, path } = mistake
  const { method, path: url, headers, body } = writeRequest(request)
  const sent = body === undefined ? {} : { body: new Uint8Array(body) }
  const asking = { prefer: DETAILED_ERRORS, ...headers }
  const response = await fetch(`${stage.gateway.url}${url}`, { method, headers: asking, ...sent })
  const { status, headers: answered } = response
  const text = await response.text()
  const faults =
    status < 400 || status >= 500
      ? ['it is not rejected']
      : [
          ...checkResponse({ method, path: url.split('?')[0] ?? '', status, headers: answered, text }),
          ...faultsOfErrors(mistake, JSON.parse(text)),
        ]
  return faults.map((fault) => `${request.operation.id} ${kind} ${path}: ${fault}: ${status} ${text.slice(0, 400)}`)
}

function faultsOfErrors({ kind, path, named }: FieldMistake, body: unknown): readonly string[] {
  const errors: readonly Detail[] = Array.isArray(body) ? body : (Object(body).errors ?? [])
  const [own] = errors.filter((error) => error.path === path)
  if (own === undefined) {
    return ['no error has its path']
  }
  const { code = '', message = '', rule = '' } = own
  return [
    ...(code === '' ? ['it has no code'] : []),
    ...(message.includes(named) ? [] : [`the message does not name ${named}`]),
    ...(ADVICE.test(message) ? [] : ['the message does not say what to do']),
    ...(errors.some((error) => VALIDATOR_TEXTS.test(error.message ?? '')) ? ['a text of a validator'] : []),
    ...(kind === 'name' && rule !== 'additionalProperties' ? [`its rule is ${rule}`] : []),
  ]
}
