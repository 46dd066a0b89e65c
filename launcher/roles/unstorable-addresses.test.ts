/** Guarantees that U+0000 in an address or a form, which PostgreSQL cannot store, is an error of ours at no route of any program. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { newId, newToken } from '../../gateway/platform/ids.ts'
import { type FxProviderFixture, openFxProviderFixture } from '../../gateway/testing/fx/fx-provider-fixture.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import {
  type IdentityProviderFixture,
  openIdentityProviderFixture,
} from '../../gateway/testing/identity/identity-provider-fixture.ts'
import { acceptedConsent, KARI } from '../../gateway/testing/payments/sample-payments.ts'
import { oauthClientOf } from '../../sandbox/testing/oauth-client.ts'
import { composeServer } from './compose-server.ts'

const FORM = 'application/x-www-form-urlencoded'

type Route = {
  readonly server: FastifyInstance
  readonly method: string
  readonly path: string
  readonly takesForms: boolean
}

const routes: Route[] = []
let gateway: TestGateway
let fx: FxProviderFixture
let identity: IdentityProviderFixture
let production: FastifyInstance
let headers: Readonly<Record<string, string>>

/** Each program of the test opens its servers with Fastify, which announces them. */
function follow(announced: unknown): void {
  const { fastify: server } = announced as { readonly fastify: FastifyInstance }
  server.addHook('onRoute', function add({ method, url: path }) {
    const takesForms = this.hasContentTypeParser(FORM)
    routes.push(...[method].flat().map((each) => ({ server, method: each, path, takesForms })))
  })
}

beforeAll(async () => {
  subscribe('fastify.initialization', follow)
  ;[gateway, fx, identity] = await Promise.all([
    startTestGateway({ settings: { HAVN_REQUESTS_PER_SECOND: '100000' } }),
    openFxProviderFixture(),
    openIdentityProviderFixture(),
  ])
  const config = { ...gateway.config, mode: 'production', baseUrl: 'https://havn.example' } as const
  production = await composeServer({ ...gateway.context, config })
  await production.ready()
  unsubscribe('fastify.initialization', follow)
  const { consentId } = await acceptedConsent(gateway)
  headers = { authorization: `Bearer ${await gateway.token()}`, 'consent-id': consentId }
})
afterAll(async () => {
  await production.close()
  await Promise.all([gateway.close(), fx.close(), identity.close()])
})

/** What the routes outside the contract read from a query or a form. */
const NAMES = [
  ...[
    'unknown',
    'state',
    'code',
    'error',
    'token',
    'redirect_uri',
    'client_id',
    'scope',
    'nonce',
    'login_hint',
    'lang',
  ],
  ...[
    'after',
    'from',
    'to',
    'status',
    'q',
    'bic',
    'user',
    'userId',
    'id',
    'amount',
    'currency',
    'account',
    'formToken',
  ],
  ...['dateFrom', 'dateTo', 'bookingStatus', 'page', 'buy_currency', 'sell_currency', 'on_behalf_of', 'reference'],
  ...['consentId', 'paymentId', 'organizationNumber', 'country', 'code_challenge', 'response_type', 'acr_values'],
]
const documented = Object.values<Operation>(operations).flatMap(({ query }) => Object.keys(query?.properties ?? {}))

/** Of a bank where a user signs in first. */
const BASE_PATH = 'norrbanken'
const PARAMETER = /:\w+(?:\([^)]*\))?|\*/g
const UNSTORABLE = 'a%00b'
const pathOf = (path: string, id: () => string) => path.replaceAll(':bank', BASE_PATH).replaceAll(PARAMETER, id)
const queryOf = (names: readonly string[]) => names.map((name) => `${name}=${UNSTORABLE}`).join('&')

/** The addresses of a route with U+0000 in one parameter of the path, in all of them, and in each of the query. */
function addressesOf({ path }: Route): readonly string[] {
  const parameters = path.match(PARAMETER) ?? []
  const inPath = parameters.map((_, changed) => {
    let n = -1
    return path.replaceAll(PARAMETER, () => {
      n += 1
      return n === changed ? UNSTORABLE : newId()
    })
  })
  const ids = new Set([newId, newToken].map((id) => pathOf(path, id)))
  const query = queryOf([...NAMES, ...documented])
  const inAll = parameters.length > 1 ? [pathOf(path, () => UNSTORABLE)] : []
  return [...inPath, ...inAll, ...[...ids].map((place) => `${place}?${query}`)]
}

/** Without those that the gateway in production has in common with the other one, and serves with the same functions. */
function distinctRoutes(): readonly Route[] {
  const keyOf = ({ method, path }: Route) => `${method} ${path}`
  const others = new Set(routes.filter(({ server }) => server !== production).map(keyOf))
  return routes.filter((route) => route.server !== production || !others.has(keyOf(route)))
}

/** The route, if it fails. */
async function failureOf(route: Route, url: string, fields?: URLSearchParams): Promise<readonly string[]> {
  const { server, method, path } = route
  const sent = fields === undefined ? {} : { payload: fields.toString() }
  const type = fields === undefined ? {} : { 'content-type': FORM }
  const request = { method: method as 'GET', url, headers: { ...headers, ...type }, ...sent }
  const { statusCode, body } = await server.inject(request)
  return statusCode >= 500 ? [`${method} ${path} ${url.split('?')[0]}: ${statusCode} ${body.slice(0, 200)}`] : []
}

test('no address with U+0000 is an error of a program', async () => {
  const failed: string[] = []
  const read = distinctRoutes().filter(({ method, path }) => method === 'GET' && !path.startsWith('/console'))
  expect(read.length).toBeGreaterThan(200)
  for (const route of read) {
    for (const url of addressesOf(route)) {
      failed.push(...(await failureOf(route, url)))
    }
  }
  expect(failed).toEqual([])
})

/** Requests that are accepted when none of their values has U+0000. */
async function acceptedRequests() {
  const client = oauthClientOf(() => gateway.bank, BASE_PATH)
  const { query, verifier } = client.asking('AIS PIS', { login_hint: KARI })
  const login = (await client.authorise({ query, verifier })).location ?? ''
  const { redirect_uri = '', client_id = '' } = query
  const challenge = { response_type: 'code', code_challenge: 'c', code_challenge_method: 'S256' }
  const asked = { client_id: 'havn', redirect_uri: `${gateway.url}/identity/return`, state: 's', nonce: 'n' }
  return [
    { url: `${gateway.bank.pagesUrl}/oauth/${BASE_PATH}/authorize`, query },
    { url: login, form: { userId: KARI, decision: 'reject' } },
    {
      url: `${gateway.bank.xs2aUrl}/${BASE_PATH}/oauth/token`,
      form: { grant_type: 'authorization_code', client_id, redirect_uri, code: 'c', code_verifier: verifier },
    },
    {
      url: `${gateway.bank.xs2aUrl}/${BASE_PATH}/oauth/token`,
      form: { grant_type: 'refresh_token', client_id, refresh_token: 'r' },
    },
    { url: `${identity.url}/mitid/authorize`, query: { ...challenge, ...asked, scope: 'openid', signing_text: 't' } },
  ]
}

/** The values with U+0000 in one of them each. */
const unstorable = (values: Readonly<Record<string, string>>) =>
  Object.keys(values).map((name) => new URLSearchParams({ ...values, [name]: `${values[name]}\0` }))

test('no U+0000 in a request that is accepted without it is an error of a program', async () => {
  const failed: string[] = []
  for (const { url, query = {}, form } of await acceptedRequests()) {
    const requests =
      form === undefined
        ? unstorable(query).map((each) => ({ address: `${url}?${each}`, init: {} }))
        : unstorable(form).map((body) => ({ address: url, init: { method: 'POST', body } }))
    for (const { address, init } of requests) {
      const { status } = await fetch(address, { ...init, redirect: 'manual' })
      failed.push(...(status >= 500 ? [`${address} ${'body' in init ? init.body : ''}: ${status}`] : []))
    }
  }
  expect(failed).toEqual([])
})

test('no form with U+0000 is an error of a program', async () => {
  const failed: string[] = []
  const written = distinctRoutes().filter(
    ({ method, takesForms }) => takesForms && !['GET', 'HEAD', 'OPTIONS'].includes(method),
  )
  expect(written.length).toBeGreaterThan(50)
  const fields = new URLSearchParams(NAMES.map((name) => [name, 'a\0b']))
  for (const route of written) {
    for (const url of new Set([newToken, newId, () => UNSTORABLE].map((id) => pathOf(route.path, id)))) {
      failed.push(...(await failureOf(route, url, fields)))
    }
  }
  expect(failed).toEqual([])
})
