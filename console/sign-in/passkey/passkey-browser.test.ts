/** Tests passkeys in a browser with a virtual authenticator: invitations, signing in, administrators, and what proves nothing. */
import type { FastifyInstance } from 'fastify'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type BrowserUser, openBrowserUser, sharedChromium } from '../../../gateway/testing/browser/browser-user.ts'
import { openFormBrowser } from '../../../gateway/testing/browser/form-browser.ts'
import { freePorts } from '../../../gateway/testing/gateway/free-ports.ts'
import { startTestGateway, type TestGateway } from '../../../gateway/testing/gateway/test-gateway.ts'
import { composeServer } from '../../../launcher/roles/compose-server.ts'
import { invitationLink, inviteAgain, inviteUser } from '../../users/invite-user.ts'
import type { InvitedUser } from '../../users/user-account.ts'

let gateway: TestGateway
let browser: Browser
let server: FastifyInstance
let url: string
const users: BrowserUser[] = []
beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startTestGateway(), sharedChromium()])
  // Passkeys need a host name, and production has no users to choose from.
  const [port = 0] = await freePorts(1)
  url = `http://localhost:${port}`
  server = await composeServer({ ...gateway.context, config: { ...gateway.config, mode: 'production', baseUrl: url } })
  await server.listen({ host: '127.0.0.1', port })
})
afterEach(async () => {
  const leaving = users.splice(0)
  await Promise.all(leaving.map(({ close }) => close()))
  expect(leaving.flatMap(({ complaints }) => complaints)).toEqual([])
})
afterAll(async () => {
  await server.close()
  await gateway.close()
})

/** A user whose device has an authenticator that always agrees, or never verifies its owner. */
async function openUser({ isUserVerified = true } = {}): Promise<BrowserUser> {
  const user = await openBrowserUser(browser, { album: 'console' })
  users.push(user)
  await useOtherDevice(user.page, isUserVerified)
  return user
}

/** Replaces the authenticators of a page by a new one. */
async function useOtherDevice(page: Page, isUserVerified = true): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.disable')
  await session.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified,
    automaticPresenceSimulation: true,
  } as const
  await session.send('WebAuthn.addVirtualAuthenticator', { options })
}

async function linkFor(invited: Partial<InvitedUser> & { readonly name: string }): Promise<string> {
  const invitation = await inviteUser(gateway.context, 'operator Test', {
    roles: ['operator-administrator'],
    partnerId: null,
    ...invited,
  })
  if (typeof invitation === 'string') {
    throw new Error(invitation)
  }
  return invitationLink({ baseUrl: url }, invitation)
}

const headingOf = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function accept({ page }: BrowserUser, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await heading(page, 'Overview')
}

test('the first administrator creates a passkey by the link, and signs in with it from then on', async () => {
  const link = await linkFor({ name: 'Astrid Lie' })
  const user = await openUser()
  const { page } = user
  await page.goto(link)
  await user.look('invitation')
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await heading(page, 'Overview')
  expect(await page.locator('body').textContent()).toContain('Astrid Lie')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.locator('.account summary').click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await user.look('sign-in-with-passkey')
  await page.goto(`${url}/console/sessions`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await heading(page, 'Your sessions')
  await page.goto(link)
  expect(await headingOf(page)).toBe('You are not signed in')
  await user.look('invitation-over')
})

test('an administrator invites a user of a partner, and disables them', async () => {
  const administrator = await openUser()
  const { page } = administrator
  await accept(administrator, await linkFor({ name: 'Bjørn Moe' }))
  await page.goto(`${url}/console/users`)
  await page.getByLabel('Name', { exact: true }).fill('Eva Sund')
  await page.getByLabel('Finance').check()
  await page.getByRole('button', { name: 'Create a link' }).click()
  await page.getByRole('alert').waitFor()
  await administrator.look('users-wrong')
  await page.getByLabel('Partner', { exact: true }).selectOption('Demo partner')
  await page.getByRole('button', { name: 'Create a link' }).click()
  await heading(page, 'Link for Eva Sund')
  await administrator.look('users-link')
  const eva = await openUser()
  await accept(eva, (await page.locator('.copyable code').textContent()) ?? '')
  expect(await eva.page.locator('body').textContent()).toContain('Demo partner')
  await page.goto(`${url}/console/users`)
  await page.getByRole('button', { name: 'Disable Eva Sund' }).click()
  await page.getByText('Disabled').waitFor()
  await eva.page.goto(`${url}/console`)
  await eva.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await heading(eva.page, 'You are not signed in')
  await accept(eva, await linkFor({ name: 'Eva Sund', roles: ['operator-reader'] }))
  expect(await eva.page.locator('main').textContent()).not.toContain('Demo partner')
})

test('a form whose session has ended is sent again after signing in with a passkey', async () => {
  const user = await openUser()
  const { page } = user
  await accept(user, await linkFor({ name: 'Cecilie Ruud' }))
  await page.goto(`${url}/console/users`)
  await page.getByLabel('Name', { exact: true }).fill('Interrupted')
  await page.getByLabel('Operator, reads', { exact: true }).check()
  await gateway.context.database.pool.query(
    `update console_sessions set last_used_at = last_used_at - interval '1 hour' where name = 'Cecilie Ruud'`,
  )
  await page.getByRole('button', { name: 'Create a link' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('button', { name: 'Send again' }).click()
  await heading(page, 'Link for Interrupted')
})

test('a new link replaces the former one, and the former passkey', async () => {
  const user = await openUser()
  const first = await linkFor({ name: 'Daniel Vik' })
  await accept(user, first)
  const { rows } = await gateway.context.database.pool.query(`select id from console_users where name = 'Daniel Vik'`)
  const again = await inviteAgain(gateway.context, 'operator Test', rows[0].id)
  const other = await openUser()
  await accept(other, invitationLink({ baseUrl: url }, { token: again?.token ?? '' }))
  await user.page.context().clearCookies()
  await user.page.goto(`${url}/console`)
  await user.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await heading(user.page, 'You are not signed in')
})

test('a user adds a passkey of another device, and removes that of the first one', async () => {
  const user = await openUser()
  const { page } = user
  await accept(user, await linkFor({ name: 'Jon Eide' }))
  await page.goto(`${url}/console/sessions`)
  await page.getByRole('link', { name: 'Your passkeys' }).click()
  expect(await page.getByText('Your only one').count()).toBe(1)
  // The authenticator that has a passkey already makes no second one.
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('The passkey was not used').waitFor()
  await useOtherDevice(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page
    .getByRole('button', { name: /^Remove the passkey/ })
    .first()
    .waitFor()
  // That of the session cannot be removed by accident: the other device signs in first.
  await page.getByText('In use: sign in with another one to remove it').waitFor()
  await page.context().clearCookies()
  await page.goto(`${url}/console/passkeys`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('button', { name: /^Remove the passkey/ }).click()
  await page.getByText('Your only one').waitFor()
  const { rows } = await gateway.context.database.pool.query(
    `select credential_id as id from console_passkeys p join console_users u on u.id = p.user_id where name = 'Jon Eide'`,
  )
  const formToken = (await page.locator('input[name=formToken]').first().getAttribute('value')) ?? ''
  // Requests of Playwright itself ask a name server for the host of the page.
  const cookies = new Map((await page.context().cookies()).map(({ name, value }) => [name, value]))
  const fields = new URLSearchParams({ formToken })
  const removal = await openFormBrowser({ url }, cookies).post(`/console/passkeys/${rows[0].id}/remove`, fields)
  expect([rows.length, removal.status]).toEqual([1, 409])
  await page.context().clearCookies()
  await page.goto(`${url}/console/passkeys`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await heading(page, 'Your passkeys')
  await page.goto(`${url}/console/passkeys?changed`)
  await page.getByText('You are also signed in elsewhere').waitFor()
  await user.look('passkeys-changed')
  await gateway.context.database.pool.query(
    `update console_sessions set created_at = created_at - interval '11 minutes' where name = 'Jon Eide'`,
  )
  await page.goto(`${url}/console/passkeys`)
  await user.look('passkeys-sign-in-again')
  expect(await page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Sign in to the console' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('button', { name: 'Add a passkey' }).waitFor()
})

test('an authenticator that does not verify its owner creates no passkey', async () => {
  const user = await openUser({ isUserVerified: false })
  await user.page.goto(await linkFor({ name: 'Fredrik Hagen' }))
  await user.page.getByRole('button', { name: 'Create a passkey' }).click()
  await user.page.getByText('The passkey was not used').waitFor()
  await user.look('passkey-failed')
})

test('a signature by another key proves nothing', async () => {
  const [user, other] = [await openUser(), await openUser()]
  await accept(user, await linkFor({ name: 'Hanna Berg' }))
  await accept(other, await linkFor({ name: 'Ivar Dahl' }))
  const { pool } = gateway.context.database
  await pool.query(`
    update console_passkeys set public_key = (
      select public_key from console_passkeys p join console_users u on u.id = p.user_id where u.name = 'Ivar Dahl')
    where user_id = (select id from console_users where name = 'Hanna Berg')`)
  await user.page.context().clearCookies()
  await user.page.goto(`${url}/console`)
  await user.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await heading(user.page, 'You are not signed in')
})

test('an answer is good for its own challenge, browser and purpose only', async () => {
  const user = await openUser()
  const { page } = user
  await accept(user, await linkFor({ name: 'Gro Lund' }))
  await page.context().clearCookies()
  await page.goto(`${url}/console/sign-in`)
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  const replayed = (await sent).postData() ?? ''
  await heading(page, 'Overview')
  // The same answer again, in a browser of its own with a challenge and a form of its own.
  const stranger = await openUser()
  await stranger.page.goto(`${url}/console/sign-in`)
  const fields = new URLSearchParams(replayed)
  for (const own of [true, false]) {
    await stranger.page.goto(`${url}/console/sign-in`)
    await stranger.page.locator('form').evaluate(
      (form, [answer = '', challenge = '']) => {
        const { elements } = form as unknown as { elements: Record<string, { value: string }> }
        Object.assign(elements['answer'] ?? {}, { value: answer })
        if (challenge !== '') {
          Object.assign(elements['challenge'] ?? {}, { value: challenge })
        }
        ;(form as unknown as { submit(): void }).submit()
      },
      [fields.get('answer') ?? '', own ? '' : (fields.get('challenge') ?? '')],
    )
    await heading(stranger.page, 'You are not signed in')
  }
})
