/** Tests that every table that shows times says whether they are business or wall time, and of which zone. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routesOfConsole } from '../gateway/testing/console/console-routes.ts'
import { createConsoleSubjects } from '../gateway/testing/console/console-subjects.ts'
import { signInAs } from '../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../gateway/testing/gateway/test-gateway.ts'
import { demoPartnerId } from '../gateway/testing/webhooks/enqueue-status-change.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

/** The labels of the columns that have a time in one of their cells. */
function timeColumnsOf(page: string): readonly string[] {
  return [...page.matchAll(/<table[\s\S]*?<\/table>/g)].flatMap(([table]) => {
    const labels = [...table.matchAll(/<th\b[^>]*>([\s\S]*?)<\/th>/g)].map(([, label = '']) =>
      label.replaceAll(/<[^>]+>/g, ''),
    )
    const rows = [...table.matchAll(/<tr>(<td[\s\S]*?)<\/tr>/g)].map(([, row = '']) => row.split('<td').slice(1))
    return labels.filter((_label, n) => rows.some((cells) => cells[n]?.includes('<time')))
  })
}

test('a column of times names the clock and the zone', async () => {
  const ids = await createConsoleSubjects(gateway, await demoPartnerId(gateway))
  const operator = await signInAs(gateway, 'operator-administrator')
  const clocks = new Map<string, readonly (string | undefined)[]>()
  for (const { method, path, isLive } of routesOfConsole(gateway)) {
    if (method === 'GET' && isLive !== true && !/\.\w+$|:documentId$/.test(path)) {
      const place = path.replaceAll(/:(\w+)/g, (_parameter, name: string) => ids[name] ?? '')
      const labels = timeColumnsOf((await operator.open(place)).html)
      clocks.set(
        path,
        labels.map((label) => / (business|wall|business or wall) time, CET\/CEST$/.exec(label)?.[1]),
      )
    }
  }
  expect([...clocks].filter(([, ofPage]) => ofPage.includes(undefined))).toEqual([])
  expect(Object.fromEntries(clocks)).toMatchObject({
    '/console/payments': ['business'],
    '/console/consents': ['business', 'business'],
    '/console/webhooks/:subscriptionId': ['business', 'business'],
    '/console/requests': ['wall'],
    '/console/audit': ['wall'],
    '/console/tasks': ['wall'],
    '/console/sessions': ['wall', 'wall'],
    '/console/partners': ['wall'],
  })
})
