/** Sends a request of every kind that a gateway answers: of partners, of browsers, of banks and of monitoring. */
import { demoCredentials } from '../../../contract/examples/demo-fixture.ts'
import { operations } from '../../../contract/operations.ts'
import { routesOfConsole } from '../console/console-routes.ts'
import { signInAs } from '../console/console-user.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'
import type { ValidRequest } from './mutated-requests.ts'
import { UNKNOWN_ID } from './send-raw-request.ts'
import { validRequests } from './valid-requests.ts'

export type NamedAnswer = {
  readonly what: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export type EveryRequest = {
  /** Every operation but that of tokens; those that read alone when asked for. */
  ofPartners(kind?: 'reads'): Promise<readonly NamedAnswer[]>
  /** What browsers and banks send, and an invalid request for a token. */
  ofOthers(): Promise<readonly NamedAnswer[]>
  /** What needs no database. */
  ofMonitoring(): Promise<readonly NamedAnswer[]>
}

const SOMETHING = `${UNKNOWN_ID}/${UNKNOWN_ID}`
const PAGES = [`/signing/${SOMETHING}/token`, `/onboarding/${SOMETHING}`, '/console/sign-in']
const NOTIFICATIONS = ['payments', 'signings'].map((kind) => `/hints/${kind}/${SOMETHING}/token`)
const INVALID_TOKEN_REQUEST = {
  grant_type: 'client_credentials',
  client_id: demoCredentials.clientId,
  client_secret: 'x',
  scope: 'y',
}
const MONITORING = ['/healthz', '/readyz', '/metrics', '/docs', '/openapi.json']

/** Prepares valid requests, and signs an administrator in to the console. */
export async function openEveryRequest(gateway: TestGateway): Promise<EveryRequest> {
  const requests = (await validRequests(gateway)).filter(({ operation }) => operation.id !== operations.issueToken.id)
  const browser = await signInAs(gateway, 'operator-administrator')
  const { html } = await browser.open('/console/sessions')
  const formToken = /name="formToken" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const routes = routesOfConsole(gateway).filter(({ isLive }) => isLive !== true)
  const ask = async (what: string, path: string, init: RequestInit = {}): Promise<NamedAnswer> => {
    const response = await fetch(`${gateway.url}${path}`, { redirect: 'manual', ...init })
    return { what, status: response.status, headers: response.headers, text: await response.text() }
  }
  const sendAsOperator = async ({ method, path }: (typeof routes)[number]): Promise<NamedAnswer> => {
    const place = path.replaceAll(/:\w+/g, UNKNOWN_ID)
    const page =
      method === 'GET' ? await browser.open(place) : await browser.post(place, new URLSearchParams({ formToken }))
    return { what: `${method} ${path}`, status: page.status, headers: page.headers, text: page.html }
  }
  return {
    ofPartners: (kind) => {
      const sent = requests.filter(({ operation }) => kind !== 'reads' || operation.method === 'GET')
      return Promise.all(sent.map((request) => ask(request.operation.id, ...callOf(request))))
    },
    ofOthers: () =>
      Promise.all([
        ...routes.map(sendAsOperator),
        ...PAGES.map((path) => ask(path, path)),
        ...NOTIFICATIONS.map((path) => ask(path, path, { method: 'POST', body: '{}' })),
        ask('token', '/v2/connect/token', { method: 'POST', body: new URLSearchParams(INVALID_TOKEN_REQUEST) }),
      ]),
    ofMonitoring: () => Promise.all(MONITORING.map((path) => ask(path, path))),
  }
}

function callOf({ operation, params, query, headers, body }: ValidRequest): [path: string, init: RequestInit] {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => String(Object(params)[name]))
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return [
    `${path}?${new URLSearchParams(Object(query))}`,
    { method: operation.method, headers: { ...Object(headers), ...type }, ...init },
  ]
}
