/** Tests the judge itself: what WCAG forbids is found, by day and by night, also where the browser runs no scripts. */
import { createServer } from 'node:http'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newVisitor, startChromium } from './chromium-visitor.ts'

const HEAD =
  '<!doctype html><html lang="en"><head><title>A page</title><meta name="viewport" content="width=device-width">'
const PAGES: Readonly<Record<string, string>> = {
  '/sound?a=1&b=*': `${HEAD}</head><body><main><h1>Sound</h1><p>Nothing is wrong here.</p></main></body></html>`,
  '/unsound?a=1&b=*': `${HEAD}</head><body><main><h1>Unsound</h1><img src="x.png"><ul><p>No item</p></ul></main></body></html>`,
}
const server = createServer((request, response) => {
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" })
    .end(PAGES[request.url ?? ''] ?? '')
})

let browser: Browser
let address: string
beforeAll(async () => {
  browser = await startChromium()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const where = server.address()
  address = `http://127.0.0.1:${typeof where === 'object' ? where?.port : ''}`
})
afterAll(async () => {
  await browser.close()
  server.close()
})

test.each([true, false])(
  'finds what is wrong, and nothing else: scripts run: %s',
  { timeout: 90_000 },
  async (javaScript) => {
    const visitor = await newVisitor(browser, { javaScript })
    const faults = async (path: string) => {
      await visitor.page.goto(`${address}${path}`)
      const before = visitor.complaints.length
      await visitor.look('page')
      return visitor.complaints.slice(before).filter((complaint) => !complaint.startsWith('console'))
    }
    expect(await faults('/sound?a=1&b=*')).toEqual([])
    const found = await faults('/unsound?a=1&b=*')
    for (const rule of ['image-alt', 'list']) {
      for (const time of ['dark', 'light']) {
        expect(found).toContainEqual(expect.stringMatching(new RegExp(`^page, ${time}: ${rule} \\(`)))
      }
    }
    await visitor.close()
  },
)
