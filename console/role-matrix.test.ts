/** Guarantees, for every route of the console, which roles it opens for, and that it shows nothing of another partner. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPartner } from '../gateway/auth/create-partner.ts'
import { type ConsoleRole, isOfPartner } from '../gateway/config/console-settings.ts'
import { newId } from '../gateway/platform/ids.ts'
import { openFormBrowser, type SeenPage } from '../gateway/testing/browser/form-browser.ts'
import { signInAs, titleOf } from '../gateway/testing/console/console-user.ts'
import { storePayments } from '../gateway/testing/console/stored-payments.ts'
import { startTestGateway, type TestGateway } from '../gateway/testing/gateway/test-gateway.ts'
import { createSubscription } from '../gateway/webhooks/subscriptions/create-subscription.ts'
import { isPermitted } from './access/console-role.ts'
import type { ConsoleRoute } from './console-route.ts'
import { consoleRoutes } from './routes.ts'
import { beginSession } from './sessions/begin-session.ts'
import { listSandboxUsers } from './sign-in/sandbox-users.ts'
import { inviteUser } from './users/invite-user.ts'

/** What each parameter of a path identifies: creates one that belongs to this partner, and returns its id. */
const FOREIGN_IDS: Readonly<Record<string, (partnerId: string) => Promise<string>>> = {
  sessionId: async (partnerId) => {
    const user = { subject: 'foreign', name: 'Foreign', partnerId, roles: ['partner-finance'] as const }
    return (await beginSession(gateway.context, user, { userAgent: '', former: undefined })).session.id
  },
  subscriptionId: async (partnerId) => await foreignSubscription(partnerId),
  deliveryId: async () => newId(),
  taskId: async () => newId(),
  userId: async (partnerId) => {
    const user = { name: newId(), partnerId, roles: ['partner-finance'] as const }
    const invited = await inviteUser(gateway.context, 'operator Test', user)
    return typeof invited === 'string' ? '' : invited.user.id
  },
  paymentId: async (partnerId) => (await storePayments(gateway, 1, { partnerId }))[0] ?? '',
}

async function foreignSubscription(partnerId: string): Promise<string> {
  const body = { targetUrl: 'https://partner.example/', eventTypes: ['PAYMENT_STATUS' as const] }
  return (await createSubscription(gateway.context, { partnerId }, body)).id
}

const PARAMETER = /:(\w+)/g

let gateway: TestGateway
let routes: readonly ConsoleRoute[]
let roles: readonly ConsoleRole[]
beforeAll(async () => {
  gateway = await startTestGateway()
  routes = consoleRoutes({ ...gateway.context, simulation: null })
  roles = (await listSandboxUsers(gateway.context)).map(({ role }) => role)
})
afterAll(() => gateway.close())

/** Requests a route, with the form token of the role's session. */
async function request(role: ConsoleRole, method: ConsoleRoute['method'], path: string): Promise<SeenPage> {
  const browser = await signInAs(gateway, role)
  await browser.open('/console/sessions')
  return method === 'GET' ? await browser.open(path) : await browser.send(path)
}

const withIds = (path: string, ids: Readonly<Record<string, string>>) =>
  path.replaceAll(PARAMETER, (_parameter, name: string) => ids[name] ?? newId())

test('without a session a page leads to the sign-in page, and a form or a stream to an error', async () => {
  for (const { method, path, isLive } of routes) {
    const browser = openFormBrowser(gateway)
    const place = withIds(path, {})
    const answer = method === 'GET' ? await browser.open(place) : await browser.post(place, new URLSearchParams())
    const ofPage = isLive === true ? [403, 'Not permitted'] : [200, 'Sign in to the console']
    expect([answer.status, titleOf(answer)], path).toEqual(
      method === 'GET' ? ofPage : [403, 'This form is out of date'],
    )
  }
})

test('every route opens for the roles that it is for, and for no other', async () => {
  expect(roles.length).toBe(6)
  for (const role of roles) {
    for (const { method, path, permission } of routes) {
      const { status } = await request(role, method, withIds(path, {}))
      expect(status === 403, `${role}: ${method} ${path} is ${status}`).toBe(!isPermitted([role], permission))
      expect(status, `${role}: ${method} ${path}`).toBeLessThan(500)
    }
  }
})

test('what belongs to another partner does not exist for a partner’s user', async () => {
  const { partner } = await createPartner(gateway.context, 'test', { name: 'Another partner' })
  const ofOne = routes.filter(({ path }) => path.includes(':'))
  const names = new Set(ofOne.flatMap(({ path }) => [...path.matchAll(PARAMETER)].map(([, name = '']) => name)))
  expect([...names].filter((name) => !(name in FOREIGN_IDS))).toEqual([])
  for (const role of roles.filter(isOfPartner)) {
    for (const { method, path } of ofOne.filter(({ permission }) => isPermitted([role], permission))) {
      const created = Object.entries(FOREIGN_IDS).map(async ([name, create]) => [name, await create(partner.id)])
      const foreign: Readonly<Record<string, string>> = Object.fromEntries(await Promise.all(created))
      const answer = await request(role, method, withIds(path, foreign))
      expect([answer.status, titleOf(answer)], `${role}: ${method} ${path}`).toEqual([404, 'Not found'])
    }
  }
})
