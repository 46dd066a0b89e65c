/** Guarantees of signing in at an OpenID Connect provider, tried against the sandbox's provider over HTTP. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type FormBrowser, openFormBrowser, type SeenPage } from '../../../gateway/testing/browser/form-browser.ts'
import type { TestGateway } from '../../../gateway/testing/gateway/test-gateway.ts'
import {
  type ConsoleProviderFixture,
  startGatewayWithConsoleProvider,
} from '../../../gateway/testing/identity/console-provider-fixture.ts'
import type {
  IdentityProviderFixture,
  IdentityProviderUser,
} from '../../../gateway/testing/identity/identity-provider-fixture.ts'
import { composeServer } from '../../../launcher/roles/compose-server.ts'
import type { FaultEffect } from '../../../sandbox/identity-provider/faults.ts'

let fixture: ConsoleProviderFixture
let identity: IdentityProviderFixture
let gateway: TestGateway
let demoPartnerId: string
beforeAll(async () => {
  fixture = await startGatewayWithConsoleProvider()
  ;({ identity, gateway, demoPartnerId } = fixture)
})
afterEach(() => identity.clearFaults())
afterAll(() => fixture.close())

const titleOf = ({ html }: { html: string }) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]
const textOf = ({ html }: { html: string }) => /<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? ''
const query = (text: string, values: unknown[] = []) => gateway.context.database.pool.query(text, values)

/** Follows the sign-in form to the provider; returns the provider's address. */
async function leave(browser: FormBrowser, next = '/console'): Promise<string> {
  await browser.open(`/console/sign-in?${new URLSearchParams({ next })}`)
  return (await browser.send('/console/sign-in/provider')).place
}

async function signIn(user: IdentityProviderUser, browser = openFormBrowser(gateway)): Promise<SeenPage> {
  const back = await identity.visit(await leave(browser), user)
  return await browser.open(back ?? '')
}

describe('a user', () => {
  test('is sent to the provider with PKCE, state and nonce, and no page offers another way', async () => {
    const browser = openFormBrowser(gateway)
    const page = await browser.open('/console/sign-in')
    expect(textOf(page)).not.toContain('name="user"')
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${new URL(identity.url).origin};`)
    const { origin, pathname, searchParams } = new URL((await browser.send('/console/sign-in/provider')).place)
    expect(`${origin}${pathname}`).toBe(`${identity.url}/workplace/authorize`)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: `${gateway.url}/console/sign-in/return`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect((await browser.send('/console/sign-in', { user: 'operator' })).status).toBe(405)
  })

  test('has the roles of their groups, at the partner of these, and a new cookie', async () => {
    const browser = openFormBrowser(gateway)
    const address = await leave(browser)
    const before = browser.cookies()
    const back = await identity.visit(address, { groups: 'other acme-finance acme-payroll' })
    expect(titleOf(await browser.open(back ?? ''))).toBe('Overview')
    expect(browser.cookies()).not.toBe(before)
    const { rows } = await query(
      'select name, subject, partner_id, roles from console_sessions order by created_at desc limit 1',
    )
    expect(rows).toEqual([
      {
        name: 'Kari Nordmann',
        subject: expect.stringMatching(new RegExp(`^${identity.url}/workplace [\\w-]{43}$`)),
        partner_id: demoPartnerId,
        roles: ['partner-finance', 'partner-payroll'],
      },
    ])
  })

  test('continues at the page that they asked for', async () => {
    const browser = openFormBrowser(gateway)
    const back = await identity.visit(await leave(browser, '/console/sessions'), { groups: 'havn-operators' })
    expect(await browser.open(back ?? '')).toMatchObject({ status: 200, place: '/console/sessions' })
  })

  test('finds a form that was interrupted', async () => {
    const browser = openFormBrowser(gateway)
    await signIn({ groups: 'havn-operators' }, browser)
    await browser.open('/console/sessions')
    await query(`update console_sessions set last_used_at = last_used_at - interval '1 hour'`)
    await browser.send('/console/sessions/end-others')
    const { place } = await browser.send('/console/sign-in/provider')
    const shown = await browser.open((await identity.visit(place, { groups: 'havn-operators' })) ?? '')
    expect(titleOf(shown)).toBe('Send it again?')
    expect(textOf(shown)).toContain('action="/console/sessions/end-others"')
  })

  test('who was logged in at the provider already logs in there again before a change of sessions', async () => {
    const browser = openFormBrowser(gateway)
    const back = await identity.visit(await leave(browser), { groups: 'havn-operators' })
    await identity.control('/faults', { effect: 'earlier-login', times: 1 })
    expect(titleOf(await browser.open(back ?? ''))).toBe('Overview')
    await browser.open('/console/sessions')
    expect(titleOf(await browser.send('/console/sessions/command-line'))).toBe('Sign in to the console')
    const { place } = await browser.send('/console/sign-in/provider')
    expect(new URL(place).searchParams.get('prompt')).toBe('login')
    await browser.open((await identity.visit(place, { groups: 'havn-operators' })) ?? '')
    expect(titleOf(await browser.send('/console/sessions/command-line'))).toBe('Command line')
  })

  test('leaves no form behind that their browser made up', async () => {
    const browser = openFormBrowser(gateway)
    await browser.open('/console/sign-in')
    const madeUp = { resumePath: '/console/users', resumeFields: `name=${'x'.repeat(200_000)}` }
    const { place } = await browser.send('/console/sign-in/provider', madeUp)
    const { rows } = await query('select max(octet_length(content_sealed)) as bytes from console_sign_ins')
    expect(rows[0].bytes).toBeLessThan(2_000)
    const shown = await browser.open((await identity.visit(place, { groups: 'havn-operators' })) ?? '')
    expect(titleOf(shown)).toBe('Overview')
  })

  test.each([
    ['in no group', { groups: '' }, 403, /None of your groups/],
    ['in an unknown group', { groups: 'havn' }, 403, /None of your groups/],
    ['in groups of operators and a partner', { groups: 'havn-operators acme-finance' }, 403, /more than one partner/],
    ['of a partner that does not exist', { groups: 'gone' }, 403, /None of your groups/],
    ['who cancels', { decision: 'reject' }, 400, /cancelled/],
  ] as const)('%s is not signed in, and the page says why', async (_who, user, status, text) => {
    const page = await signIn(user)
    expect([page.status, titleOf(page)]).toEqual([status, 'You are not signed in'])
    expect(textOf(page)).toMatch(text)
    expect(titleOf(await openFormBrowser(gateway).open('/console'))).toBe('Sign in to the console')
  })

  test('of a disabled partner is not signed in', async () => {
    await query('update partners set disabled_at = created_at where id = $1', [demoPartnerId])
    const page = await signIn({ groups: 'acme-finance' })
    expect([page.status, textOf(page)]).toEqual([403, expect.stringContaining('The access of your company')])
    await query('update partners set disabled_at = null where id = $1', [demoPartnerId])
    expect((await signIn({ groups: 'acme-finance' })).status).toBe(200)
  })
})

describe('at intervals the provider is asked again', () => {
  const RENEWAL = '/console/users/sessions'
  /** The clock of the provider does not move: what has been read becomes older instead. */
  const passMinutes = (minutes: number) =>
    query(`update console_sessions set roles_read_at = roles_read_at - $1 * interval '1 minute'`, [minutes])
  /** The way of the browser to the provider, once the interval is over. */
  async function leaveAgain(browser: FormBrowser): Promise<string> {
    await passMinutes(15)
    const { place } = await browser.open(RENEWAL)
    expect(Object.fromEntries(new URL(place).searchParams)).toMatchObject({ prompt: 'none', response_type: 'code' })
    return place
  }
  const latestSession = async () =>
    (await query('select created_at, roles from console_sessions order by created_at desc limit 1')).rows[0]

  test('and the session continues with the roles of now, where the user wanted to go', async () => {
    const browser = openFormBrowser(gateway)
    await signIn({ groups: 'havn-operators' }, browser)
    const { created_at, roles } = await latestSession()
    expect(roles).toEqual(['operator'])
    const cookies = browser.cookies()
    await passMinutes(14)
    expect((await browser.open(RENEWAL)).status).toBe(403)
    const back = await identity.visit(await leaveAgain(browser), { groups: 'havn-administrators' })
    expect(await browser.open(back ?? '')).toMatchObject({ status: 200, place: RENEWAL })
    expect(browser.cookies()).toBe(cookies)
    expect(await latestSession()).toEqual({ created_at, roles: ['operator-administrator'] })
  })

  test.each([
    ['who has lost their groups', { groups: '' }, 403, 'You are not signed in'],
    ['whose groups belong to more than one partner now', { groups: 'acme-finance havn-operators' }, 403, 'You are not'],
    ['who has signed out there', { decision: 'reject' }, 200, 'Sign in to the console'],
    ['who is another one there now', { userId: 'ola', groups: 'havn-operators' }, 200, 'Sign in to the console'],
  ] as const)('and the session ends of a user %s', async (_who, user, status, title) => {
    const browser = openFormBrowser(gateway)
    await signIn({ groups: 'havn-operators' }, browser)
    const back = await identity.visit(await leaveAgain(browser), user)
    const page = await browser.open(back ?? '')
    expect([page.status, titleOf(page)]).toEqual([status, expect.stringContaining(title)])
    expect(titleOf(await browser.open('/console'))).toBe('Sign in to the console')
  })

  test('and a user who signs out meanwhile is signed out, whatever the provider would say', async () => {
    const browser = openFormBrowser(gateway)
    await signIn({ groups: 'havn-operators' }, browser)
    await browser.open('/console/sessions')
    await passMinutes(15)
    expect(await browser.send('/console/sign-out')).toMatchObject({ place: '/console/sign-in' })
    expect(titleOf(await browser.open('/console'))).toBe('Sign in to the console')
  })

  test('and a form waits until the user has signed in again, with the roles of now', async () => {
    const browser = openFormBrowser(gateway)
    await signIn({ groups: 'havn-operators' }, browser)
    await browser.open('/console/sessions')
    await passMinutes(15)
    const page = await browser.send('/console/sessions/end-others')
    expect(titleOf(page)).toBe('Sign in to the console')
    const { place } = await browser.send('/console/sign-in/provider')
    expect(titleOf(await browser.open((await identity.visit(place, { groups: 'acme-finance' })) ?? ''))).toBe(
      'Send it again?',
    )
    expect((await browser.open('/console/tasks')).status).toBe(403)
  })

  test('and while it does not answer, the session permits nothing and goes on afterwards', async () => {
    const browser = openFormBrowser(gateway)
    await signIn({ groups: 'havn-operators' }, browser)
    const back = await identity.visit(await leaveAgain(browser), { groups: 'havn-operators' })
    await identity.control('/faults', { effect: 'down' })
    expect((await browser.open(back ?? '')).status).toBe(503)
    await identity.clearFaults()
    const again = await identity.visit((await browser.open('/console/tasks')).place, { groups: 'havn-operators' })
    expect(await browser.open(again ?? '')).toMatchObject({ status: 200, place: '/console/tasks' })
  })
})

describe('a callback', () => {
  test('of another browser signs neither of the two in', async () => {
    const [own, other] = [openFormBrowser(gateway), openFormBrowser(gateway)]
    const back = await identity.visit(await leave(own), { groups: 'havn-operators' })
    await leave(other)
    expect((await other.open(back ?? '')).status).toBe(400)
    expect(titleOf(await other.open('/console'))).toBe('Sign in to the console')
    expect(titleOf(await own.open(back ?? ''))).toBe('Overview')
  })

  test('is used once', async () => {
    const browser = openFormBrowser(gateway)
    const back = await identity.visit(await leave(browser), { groups: 'havn-operators' })
    const cookies = browser.cookies()
    await browser.open(back ?? '')
    const again = await fetch(back ?? '', { headers: { cookie: cookies }, redirect: 'manual' })
    expect(again.status).toBe(400)
  })

  test('after too long begins no session', async () => {
    const browser = openFormBrowser(gateway)
    const back = await identity.visit(await leave(browser), { groups: 'havn-operators' })
    await query(`update console_sign_ins set created_at = created_at - interval '15 minutes'`)
    expect((await browser.open(back ?? '')).status).toBe(400)
    await leave(browser)
    expect((await query('select count(*)::int as count from console_sign_ins')).rows).toEqual([{ count: 1 }])
  })

  test('without a sign-in that was begun begins no session', async () => {
    const page = await openFormBrowser(gateway).open('/console/sign-in/return?code=x&state=y')
    expect(page.status).toBe(400)
  })

  test.each<FaultEffect>(['wrong-nonce', 'wrong-audience', 'unsigned', 'strange-key', 'expired-token'])(
    'with a token that proves nothing begins no session: %s',
    async (effect) => {
      const browser = openFormBrowser(gateway)
      const back = await identity.visit(await leave(browser), { groups: 'havn-operators' })
      await identity.control('/faults', { effect })
      expect((await browser.open(back ?? '')).status).toBe(502)
      expect(titleOf(await browser.open('/console'))).toBe('Sign in to the console')
    },
  )
})

test('a form of another site does not lead to the provider', async () => {
  const page = await openFormBrowser(gateway).post('/console/sign-in/provider', new URLSearchParams({ next: '/' }))
  expect(page.status).toBe(403)
})

test('a provider that does not answer is explained', async () => {
  const server = await composeServer({
    ...gateway.context,
    config: { ...gateway.config, consoleProvider: providerAt('http://127.0.0.1:1') },
  })
  const page = await server.inject({ url: '/console/sign-in' })
  const token = /name="formToken" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
  const answer = await server.inject({
    method: 'POST',
    url: '/console/sign-in/provider',
    headers: {
      cookie: String(page.headers['set-cookie']).split(';')[0],
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams({ formToken: token }).toString(),
  })
  expect([answer.statusCode, titleOf({ html: answer.body })]).toEqual([503, 'You are not signed in'])
  await server.close()
})

function providerAt(issuer: string) {
  const { consoleProvider } = gateway.config
  if (consoleProvider === null) {
    throw new Error('The gateway has no provider')
  }
  return { ...consoleProvider, issuer }
}
