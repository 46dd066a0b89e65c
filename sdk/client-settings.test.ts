/** Tests that wrong settings are named before anything is sent, and that the client does not run in a browser. */
import { describe, expect, it } from 'vitest'
import { BROWSER_REASON, requireServer } from './browser-check.ts'
import { createHavnClient, type HavnClientSettings } from './index.ts'

const right = { baseUrl: 'http://127.0.0.1:1', clientId: 'id', clientSecret: 'secret', environment: 'sandbox' } as const
/** As in JavaScript, where the compiler does not help. */
const client = (changes: object) => createHavnClient({ ...right, ...changes } as HavnClientSettings)

describe('settings', () => {
  it.each([
    [{ baseUrl: undefined }, 'baseUrl must be an http or https URL, for example http://127.0.0.1:8080, not undefined'],
    [{ baseUrl: '127.0.0.1:8080' }, 'baseUrl must be'],
    [{ baseUrl: 'ftp://havn.example' }, 'baseUrl must be'],
    [{ baseUrl: 'https://user@havn.example' }, 'baseUrl must be'],
    [{ baseUrl: 'https://havn.example?x=1' }, 'baseUrl must be'],
    [{ authUrl: '/token' }, 'authUrl must be'],
    [{ onboardingUrl: '' }, 'onboardingUrl must be'],
    [{ clientId: '' }, 'clientId must be the text that the operator issued; it is empty'],
    [{ clientSecret: undefined }, 'clientSecret must be the text that the operator issued; it is undefined'],
    [{ environment: 'test' }, 'environment must be one of sandbox, production, or { scope }, not "test"'],
    [{ environment: undefined }, 'environment must be one of'],
    [{ environment: {} }, 'environment must be one of'],
    [{ timeoutSeconds: 0 }, 'timeoutSeconds must be above 0'],
    [{ timeoutSeconds: Number.NaN }, 'timeoutSeconds must be above 0'],
    [{ maxRetries: -1 }, 'maxRetries must be a whole number from 0 to 10, not -1'],
    [{ maxRetries: 1.5 }, 'maxRetries must be'],
    [{ userAgent: 'Blåbær/1' }, 'userAgent must be printable ASCII, for example my-erp/7.1'],
    [{ userAgent: 'a\r\nx: y' }, 'userAgent must be'],
  ])('%j are rejected', (changes, message) => {
    expect(() => client(changes)).toThrow(expect.objectContaining({ name: 'TypeError' }))
    expect(() => client(changes)).toThrow(message)
  })

  it('do not show the secret', () => {
    const secret = 'a secret that must not be shown'
    const shown = JSON.stringify(client({ clientSecret: secret }))
    expect(shown).not.toContain(secret)
  })

  it('of a call are checked like those of the client', async () => {
    await expect(client({}).listCompanies({ maxRetries: 99 })).rejects.toThrow('maxRetries must be')
  })
})

describe('a browser', () => {
  it.each([
    ['a page', { window: {}, document: {} }, true],
    ['a page with a bundled process', { window: {}, document: {}, process: { env: {} } }, true],
    ['a worker', { WorkerGlobalScope: class {} }, true],
    ['Node', { process: { versions: { node: '26.0.0' } } }, false],
    ['Node with a simulated page', { window: {}, document: {}, process: { versions: { node: '26.0.0' } } }, false],
    ['Deno, which has a window', { Deno: {}, window: {} }, false],
    ['Bun', { Bun: {} }, false],
    ['an edge runtime', { WorkerGlobalScope: class {}, WebSocketPair: class {} }, false],
  ])('%s', (_, globals, isBrowser) => {
    const check = () => requireServer(globals)
    isBrowser ? expect(check).toThrow(BROWSER_REASON) : expect(check).not.toThrow()
  })
})
