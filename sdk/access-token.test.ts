/** Tests that the client requests as few tokens as possible, and never uses one after its expiry. */
import { afterEach, describe, expect, it } from 'vitest'
import { openClient } from './client.ts'
import type { HavnAttempt, HavnClientSettings } from './client-settings.ts'
import { platformRuntime, type Runtime } from './runtime.ts'
import { nextToken, type Script, type ScriptedGateway, scriptedGateway } from './scripted-gateway.ts'

const HOUR_SECONDS = 3_600
const noCompanies: Script = () => ({ status: 200, body: [] })
let service: ScriptedGateway

afterEach(() => service.close())

function client(settings: Partial<HavnClientSettings> = {}, runtime: Partial<Runtime> = {}) {
  return openClient(
    {
      baseUrl: service.url,
      clientId: 'demo-partner',
      clientSecret: 'demo-partner-secret',
      environment: 'sandbox',
      maxRetries: 0,
      ...settings,
    },
    { ...platformRuntime, ...runtime },
  )
}

const tokensUsed = () => service.requests.map(({ headers }) => headers.authorization)

describe('the access token', () => {
  it('is requested by client credentials as a form', async () => {
    service = await scriptedGateway(noCompanies)
    await client().listCompanies()
    expect(service.tokenRequests).toHaveLength(1)
    const [{ method, headers, body } = { method: '', headers: {}, body: '' }] = service.tokenRequests
    expect({ method, type: headers['content-type'] }).toEqual({
      method: 'POST',
      type: 'application/x-www-form-urlencoded',
    })
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      grant_type: 'client_credentials',
      scope: 'api://ac0d1aea-5e3a-463f-9dd1-194898ee5820/.default',
      client_id: 'demo-partner',
      client_secret: 'demo-partner-secret',
    })
  })

  it.each([
    ['production', 'api://1f115cad-5576-4db9-a7f9-8921c47a86e4/.default'],
    [{ scope: 'api://own/.default' }, 'api://own/.default'],
  ] as const)('is requested with the scope of the environment %o', async (environment, scope) => {
    service = await scriptedGateway(noCompanies)
    await client({ environment }).listCompanies()
    expect(new URLSearchParams(service.tokenRequests[0]?.body).get('scope')).toBe(scope)
  })

  it('is requested from the URL of the authorisation server', async () => {
    service = await scriptedGateway(noCompanies)
    const authorisationServer = await scriptedGateway(noCompanies)
    await client({ authUrl: `${authorisationServer.url}/` }).listCompanies()
    await authorisationServer.close()
    expect([service.tokenRequests.length, authorisationServer.tokenRequests.length]).toEqual([0, 1])
    expect(service.requests).toHaveLength(1)
  })

  it('is shared by calls, also by those that start while it is being requested', async () => {
    service = await scriptedGateway(noCompanies)
    const havn = client()
    await Promise.all(Array.from({ length: 8 }, () => havn.listCompanies()))
    await havn.listCompanies()
    expect(service.tokenRequests).toHaveLength(1)
    expect(new Set(tokensUsed())).toEqual(new Set(['Bearer token-1']))
  })

  it('is renewed a minute before it expires, and not earlier, while calls go on with the old one', async () => {
    const gate = Promise.withResolvers<void>()
    const issue = nextToken()
    service = await scriptedGateway(noCompanies, async (request) => {
      await (service.tokenRequests.length > 1 ? gate.promise : undefined)
      return issue(request)
    })
    let milliseconds = 0
    const havn = client({}, { elapsedMilliseconds: () => milliseconds })
    await havn.listCompanies()
    milliseconds = (HOUR_SECONDS - 61) * 1_000
    await havn.listCompanies()
    expect(service.tokenRequests).toHaveLength(1)
    milliseconds = (HOUR_SECONDS - 60) * 1_000
    await havn.listCompanies()
    await havn.listCompanies()
    await expect.poll(() => service.tokenRequests.length).toBe(2)
    gate.resolve()
    await expect
      .poll(async () => {
        await havn.listCompanies()
        return tokensUsed().at(-1)
      })
      .toBe('Bearer token-2')
    expect(tokensUsed().slice(0, 4)).toEqual(Array.from({ length: 4 }, () => 'Bearer token-1'))
    expect(service.tokenRequests).toHaveLength(2)
  })

  it.each([
    [3_600, 3_590_000],
    [10, 9_500],
  ])('is not used in the last part of its lifetime of %d seconds: calls wait for the next', async (seconds, end) => {
    service = await scriptedGateway(noCompanies, nextToken(seconds))
    let milliseconds = 0
    const havn = client({}, { elapsedMilliseconds: () => milliseconds })
    await havn.listCompanies()
    milliseconds = end
    await Promise.all([havn.listCompanies(), havn.listCompanies()])
    expect(tokensUsed()).toEqual(['Bearer token-1', 'Bearer token-2', 'Bearer token-2'])
    expect(service.tokenRequests).toHaveLength(2)
  })

  it('is used to its end although its renewal fails, which is not tried at every call', async () => {
    const issue = nextToken()
    service = await scriptedGateway(noCompanies, (request) =>
      service.tokenRequests.length === 1 ? issue(request) : { status: 503 },
    )
    let milliseconds = 0
    const failed = Promise.withResolvers<void>()
    const settings = { onAttempt: ({ status }: HavnAttempt) => (status === 503 ? failed.resolve() : undefined) }
    const havn = client(settings, { elapsedMilliseconds: () => milliseconds })
    await havn.listCompanies()
    milliseconds = (HOUR_SECONDS - 60) * 1_000
    await havn.listCompanies()
    await failed.promise
    await havn.listCompanies()
    await havn.listCompanies()
    expect(service.tokenRequests).toHaveLength(2)
    milliseconds = HOUR_SECONDS * 1_000
    await expect(havn.listCompanies()).rejects.toMatchObject({ name: 'HavnServerError', operation: 'issueToken' })
    expect(new Set(tokensUsed())).toEqual(new Set(['Bearer token-1']))
  })

  it('is renewed once when the service rejects it, and the call is repeated', async () => {
    service = await scriptedGateway(({ headers }) =>
      headers.authorization === 'Bearer token-1' ? { status: 401, body: {} } : { status: 200, body: [] },
    )
    const havn = client()
    expect(await havn.listCompanies()).toEqual([])
    await havn.listCompanies()
    expect(tokensUsed()).toEqual(['Bearer token-1', 'Bearer token-2', 'Bearer token-2'])
    expect(service.tokenRequests).toHaveLength(2)
  })

  it('is renewed once for all concurrent calls that the service rejected', async () => {
    service = await scriptedGateway(({ headers }) =>
      headers.authorization === 'Bearer token-1' ? { status: 401, body: {} } : { status: 200, body: [] },
    )
    const havn = client()
    await Promise.all(Array.from({ length: 8 }, () => havn.listCompanies()))
    expect(service.tokenRequests).toHaveLength(2)
  })

  it('is not requested a third time: a second 401 is returned', async () => {
    service = await scriptedGateway(() => ({
      status: 401,
      body: { svcRequestId: 'r-1', message: 'The token expired' },
    }))
    await expect(client().listCompanies()).rejects.toMatchObject({ status: 401, message: 'The token expired' })
    expect(service.requests).toHaveLength(2)
    expect(service.tokenRequests).toHaveLength(2)
  })

  it('that cannot be obtained fails the call, and the next call requests it again', async () => {
    const issue = nextToken()
    let refused = false
    service = await scriptedGateway(noCompanies, (request) => {
      const first = !refused
      refused = true
      return first ? { status: 401, body: {} } : issue(request)
    })
    const havn = client()
    await expect(havn.listCompanies()).rejects.toMatchObject({
      name: 'HavnAuthenticationError',
      operation: 'issueToken',
      status: 401,
      message: 'The client could not be authenticated',
    })
    expect(await havn.listCompanies()).toEqual([])
  })

  it('must be present: a response without it names the likely mistake', async () => {
    service = await scriptedGateway(noCompanies, () => ({ status: 200, body: { hello: 'world' } }))
    await expect(client().listCompanies()).rejects.toThrow('is authUrl right?')
  })

  it('is still obtained for other calls when one is aborted', async () => {
    const issue = nextToken()
    const gate = Promise.withResolvers<void>()
    service = await scriptedGateway(noCompanies, async (request) => {
      await gate.promise
      return issue(request)
    })
    const havn = client()
    const controller = new AbortController()
    const givenUp = havn.listCompanies({ signal: controller.signal })
    const patient = havn.listCompanies()
    controller.abort(new Error('Enough'))
    await expect(givenUp).rejects.toThrow('Enough')
    gate.resolve()
    expect(await patient).toEqual([])
    expect(service.tokenRequests).toHaveLength(1)
  })
})
