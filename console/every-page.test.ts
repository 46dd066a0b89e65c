/** Tests what every page shows: no raw values, and of every column of times which clock and zone it is of. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routesOfConsole } from '../gateway/testing/console/console-routes.ts'
import { createConsoleSubjects } from '../gateway/testing/console/console-subjects.ts'
import { signInAs, textOf } from '../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../gateway/testing/gateway/test-gateway.ts'
import { demoPartnerId } from '../gateway/testing/webhooks/enqueue-status-change.ts'

let gateway: TestGateway
/** The pages of an operator as markup, by the paths of their routes. */
const pages = new Map<string, string>()
beforeAll(async () => {
  gateway = await startTestGateway()
  const ids = await createConsoleSubjects(gateway, await demoPartnerId(gateway))
  const operator = await signInAs(gateway, 'operator-administrator')
  for (const { method, path, isLive } of routesOfConsole(gateway)) {
    if (method === 'GET' && isLive !== true && !/\.\w+$|:documentId$/.test(path)) {
      const place = path.replaceAll(/:(\w+)/g, (_parameter, name: string) => ids[name] ?? '')
      pages.set(path, (await operator.open(place)).html)
    }
  }
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

test('no page shows a value as programs write it', () => {
  expect(pages.size).toBeGreaterThan(40)
  const raw = [...pages].flatMap(([path, html]) => {
    // Bodies of requests are shown as they were sent.
    const text = textOf({ html: html.replaceAll(/<pre\b[\s\S]*?<\/pre>/g, '') })
    return [...text.matchAll(/.{0,30}(?:\b(?:null|true|false|undefined|NaN)\b|\[object).{0,10}/g)].map(
      ([found]) => `${path}: ${found}`,
    )
  })
  expect(raw).toEqual([])
})

test('a column of times names the clock and the zone', async () => {
  const clocks = new Map<string, readonly (string | undefined)[]>()
  for (const [path, page] of pages) {
    clocks.set(
      path,
      timeColumnsOf(page).map((label) => / (business|wall|business or wall) time, CET\/CEST$/.exec(label)?.[1]),
    )
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
