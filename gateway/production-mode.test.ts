/** Tests what production rejects that the sandbox accepts, with the same server and another setting. */
import type { FastifyInstance, InjectOptions } from 'fastify'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scopesByEnvironment } from '../contract/environments.ts'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import { composeServer } from '../launcher/roles/compose-server.ts'
import { ACCESS_TOKEN_TYPE, openTokenKey, TOKEN_ALGORITHM } from './auth/token-key.ts'
import { listTokenKeys } from './auth/token-key-store.ts'
import type { Context } from './context.ts'
import { startTestGateway, type TestGateway } from './testing/gateway/test-gateway.ts'
import { CALLBACK, KARI } from './testing/payments/sample-payments.ts'

const AUTH_URL = 'https://auth.havn.example'
const CALLBACK_ORIGIN = 'https://erp.example'
const PUBLIC_ADDRESS = '84.208.20.110'
const REQUESTED = { bic: 'FJORNO22', organizationNumber: '987654325', userId: KARI }
const all: readonly Operation[] = Object.values(operations)

let gateway: TestGateway
let production: FastifyInstance
let token: string
beforeAll(async () => {
  gateway = await startTestGateway()
  const context: Context = {
    ...gateway.context,
    config: { ...gateway.config, mode: 'production', authUrl: AUTH_URL },
  }
  await context.database.pool.query('update partners set callback_origins = $1', [[CALLBACK_ORIGIN]])
  production = await composeServer(context)
  token = await tokenOfProduction(context)
})
afterAll(async () => {
  await production.close()
  await gateway.close()
})

async function tokenOfProduction(context: Context): Promise<string> {
  const [stored] = await listTokenKeys(context.database)
  if (stored === undefined) {
    throw new Error('There is no key')
  }
  const { kid, privateKey } = await openTokenKey(context, stored)
  return await new SignJWT({
    iss: AUTH_URL,
    aud: scopesByEnvironment.production,
    sub: 'demo-partner',
    secret_number: 1,
  })
    .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid, typ: ACCESS_TOKEN_TYPE })
    .setExpirationTime('1 minute')
    .sign(privateKey)
}

async function ask(request: InjectOptions & { headers?: Record<string, string> }) {
  const authorization = `Bearer ${token}`
  const answer = await production.inject({ ...request, headers: { authorization, ...request.headers } })
  return { status: answer.statusCode, body: answer.json() }
}

const askForConsent = (callbackUrl: string, ipAddress = PUBLIC_ADDRESS) =>
  ask({
    method: 'POST',
    url: '/api/v2/consents',
    headers: { 'psu-ip-address': ipAddress, 'psu-user-agent': 'Browser' },
    payload: { ...REQUESTED, callbackUrl },
  })

test.each(all.filter(({ sandboxOnly }) => sandboxOnly).map(({ id, method, path }) => [id, method, path] as const))(
  '%s does not exist: 404 as for any unknown path, with a token and without',
  async (_id, method, url) => {
    const nothing = {
      status: 404,
      body: { message: 'This path does not exist; /openapi.json lists all operations' },
    }
    const payload = method === 'POST' ? { payload: { reset: true as const } } : {}
    expect(await ask({ method, url, ...payload })).toMatchObject(nothing)
    expect(await ask({ method, url, ...payload, headers: { authorization: '' } })).toMatchObject(nothing)
  },
)

test('metrics are for operators, and not on the port of its operations', async () => {
  expect(await ask({ method: 'GET', url: '/metrics' })).toMatchObject({ status: 404 })
  expect(await ask({ method: 'GET', url: '/readyz' })).toEqual({ status: 200, body: { status: 'ready' } })
})

test('a production token is accepted, a sandbox token of the same key is not, and vice versa', async () => {
  const sandboxToken = await gateway.token()
  expect(await ask({ method: 'GET', url: '/api/companies' })).toMatchObject({ status: 200 })
  const headers = { authorization: `Bearer ${sandboxToken}` }
  expect(await ask({ method: 'GET', url: '/api/companies', headers })).toMatchObject({ status: 401 })
  const inSandbox = await gateway.fetch('/api/companies', { headers: { authorization: `Bearer ${token}` } })
  expect(inSandbox.status).toBe(401)
})

test('the sandbox’s scope gets no token', async () => {
  const form = { grant_type: 'client_credentials', client_id: 'demo-partner', client_secret: 'demo-partner-secret' }
  const tokenFor = async (scope: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const payload = new URLSearchParams({ ...form, scope }).toString()
    return (await production.inject({ method: 'POST', url: '/v2/connect/token', headers, payload })).statusCode
  }
  expect(await tokenFor(scopesByEnvironment.sandbox)).toBe(400)
  expect(await tokenFor(scopesByEnvironment.production)).toBe(200)
})

test.each(['127.0.0.1', '10.1.2.3', '::ffff:192.168.1.1', 'fd00::1'])(
  'a user at %s is rejected: 400, which names the header',
  async (ipAddress) => {
    expect(await askForConsent(`${CALLBACK_ORIGIN}/back`, ipAddress)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/PSU-IP-Address contains an address that is not public/) },
    })
  },
)

const unregistered = (origin: string) =>
  `must begin with an origin or scheme that is registered for you; ${origin} is not: ask the operator`

describe('a callbackUrl', () => {
  test.each([
    [CALLBACK, unregistered(new URL(CALLBACK).origin)],
    ['http://erp.example/back', unregistered('http://erp.example')],
    ['myerp://back', unregistered('myerp:')],
    ['https://evil.example/back', unregistered('https://evil.example')],
    ['https://erp.example.evil.example/back', unregistered('https://erp.example.evil.example')],
    ['https://erp.example:8443/back', unregistered('https://erp.example:8443')],
    ['https://erp.example@evil.example/back', 'must not contain credentials'],
  ])('%s is rejected: 422', async (callbackUrl, reason) => {
    expect(await askForConsent(callbackUrl)).toMatchObject({
      status: 422,
      body: [{ code: 'InvalidRequest', reason: `callbackUrl ${reason}`, path: '.callbackUrl' }],
    })
  })

  test('of the partner’s list is accepted, with any path and query', async () => {
    expect(await askForConsent(`${CALLBACK_ORIGIN}/back?order=7`)).toMatchObject({
      status: 200,
      body: { status: 'AUTHORIZATION_REQUIRED' },
    })
  })
})
