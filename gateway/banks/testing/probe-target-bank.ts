/** Simulates a bank that differs from the sandbox in every probed setting; stateless, with fixed answers. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ProbeTargetBank = {
  readonly address: string
  /** Consents that were created and not deleted. */
  readonly consents: ReadonlySet<string>
  close(): Promise<void>
}

type Answer = { readonly status: number; readonly body?: object }
type Json = Readonly<Record<string, unknown>>

const MEMBERS = new Set([
  'debtorAccount',
  'creditorAccount',
  'creditorName',
  'instructedAmount',
  'requestedExecutionDate',
  'remittanceInformationUnstructured',
  'remittanceInformationStructured',
  'endToEndIdentification',
  'purposeCode',
])
const BULK_MEMBERS = new Set(['debtorAccount', 'requestedExecutionDate', 'payments'])
const MESSAGE_MAX = 70
const END_TO_END_MAX = 16
const DAYS = 90
export const PROBE_TARGET_LOGIN_HOST = 'login.different.example'

/** Starts the bank on a free port. */
export async function startProbeTargetBank(): Promise<ProbeTargetBank> {
  const consents = new Set<string>()
  const server = createServer((request, response) => {
    readBody(request).then((body) => {
      const { status, body: reported } = answerTo(request, body, consents)
      response.writeHead(status, { 'content-type': 'application/json' }).end(reported && JSON.stringify(reported))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The address of a listening server is an object.
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}/psd2`,
    consents,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readBody(request: IncomingMessage): Promise<Json> {
  const parts: Buffer[] = []
  for await (const part of request) {
    parts.push(Buffer.from(part))
  }
  const text = Buffer.concat(parts).toString()
  return text === '' ? {} : JSON.parse(text)
}

function answerTo({ method = '', url = '', headers }: IncomingMessage, body: Json, consents: Set<string>): Answer {
  if (headers['x-client'] === undefined) {
    return validationErrors(['x-client: is missing'])
  }
  const [, , , service = '', name = ''] = url.split('/')
  switch (`${method} ${service}`) {
    case 'POST consents':
      return createConsent(body, consents)
    case 'GET consents':
      return consents.has(name) ? { status: 200, body: consentHeld() } : validationError(403, 'CONSENT_UNKNOWN')
    case 'DELETE consents':
      return consents.delete(name) ? { status: 204 } : validationError(403, 'CONSENT_UNKNOWN')
    case 'POST payments':
      return name === 'sepa-credit-transfers' ? rejectOrder(body) : validationError(403, 'PRODUCT_INVALID')
    case 'POST bulk-payments':
      return name === 'sepa-credit-transfers' ? rejectBulk(body) : validationError(403, 'PRODUCT_INVALID')
    default:
      return validationError(405, 'SERVICE_INVALID')
  }
}

function createConsent({ access }: Json, consents: Set<string>): Answer {
  if (Object(access).allPsd2 !== 'allAccounts') {
    return validationErrors(['access: only allPsd2 with allAccounts is supported'])
  }
  const consentId = `consent-${consents.size + 1}`
  consents.add(consentId)
  const links = { scaRedirect: { href: `https://${PROBE_TARGET_LOGIN_HOST}/${consentId}` } }
  return { status: 201, body: { consentStatus: 'received', consentId, _links: links } }
}

function consentHeld(): object {
  const validUntil = Temporal.Now.plainDateISO('Europe/Helsinki').add({ days: DAYS }).toString()
  return { consentStatus: 'received', validUntil, frequencyPerDay: 1, recurringIndicator: true }
}

/** Orders of a probe always have a debtor account that cannot exist. */
function rejectOrder(body: Json): Answer {
  const { remittanceInformationUnstructured: message, remittanceInformationStructured: reference } = body
  return validationErrors([
    ...Object.keys(body).flatMap((name) => (MEMBERS.has(name) ? [] : [`${name}: is not supported`])),
    ...['debtorAccount', 'creditorAccount'].flatMap((name) =>
      Object(body[name]).iban === undefined ? [`${name}: must be an IBAN`] : [],
    ),
    ...(String(message ?? '').length > MESSAGE_MAX ? ['remittanceInformationUnstructured: is too long'] : []),
    ...(typeof reference === 'object' ? ['remittanceInformationStructured: must be a text'] : []),
    ...(String(body['endToEndIdentification'] ?? '').length > END_TO_END_MAX
      ? ['endToEndIdentification: too long']
      : []),
    'debtorAccount: has wrong check digits',
  ])
}

function rejectBulk(body: Json): Answer {
  const unsupported = Object.keys(body).filter((name) => !BULK_MEMBERS.has(name))
  return validationErrors([
    ...unsupported.map((name) => `${name}: is not supported`),
    'debtorAccount: has wrong check digits',
  ])
}

function validationErrors([first = '', ...others]: readonly string[]): Answer {
  const additionalErrors = others.map((detail) => ({ code: 'FORMAT_ERROR', detail }))
  const body = { type: 'about:blank', title: 'Format error', code: 'FORMAT_ERROR', detail: first, additionalErrors }
  return { status: 400, body }
}

function validationError(status: number, code: string): Answer {
  return { status, body: { type: 'about:blank', title: 'Rejected', code } }
}
