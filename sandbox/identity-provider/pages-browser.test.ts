/** Tests the provider's page in a browser without scripts, including its layout and accessibility. */
import { expect, test } from 'vitest'
import { openBrowserUser, sharedChromium } from '../../gateway/testing/browser/browser-user.ts'
import { openIdentityProviderFixture } from '../../gateway/testing/identity/identity-provider-fixture.ts'

/** A browser has to start, and every page is checked in four variants. */
const PATIENCE_MILLISECONDS = 180_000
const TEXT = 'Nordlys Handel AS (987654325)\nSHA-256: 47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'

test('a user reads what is signed, gets an error for an incomplete person, and leaves', {
  timeout: PATIENCE_MILLISECONDS,
}, async () => {
  const stage = await openIdentityProviderFixture()
  const browser = await sharedChromium()
  try {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'havn',
      redirect_uri: 'http://127.0.0.1:9/identity/return',
      scope: 'openid',
      state: 'state',
      nonce: 'nonce',
      code_challenge: 'challenge',
      code_challenge_method: 'S256',
      signing_text: TEXT,
    })
    const visitor = await openBrowserUser(browser, { javaScript: false, album: 'sandbox-identity' })
    const { page } = visitor
    await page.goto(`${stage.url}/bankid-no/authorize?${query}`)
    await visitor.look('sign')
    await page.getByLabel('Given name').fill('Åse')
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await visitor.look('half-typed')
    expect(await page.getByLabel('Given name').inputValue()).toBe('Åse')
    await page.getByRole('button', { name: 'Close without answering' }).click()
    await visitor.look('left')
    await page.goto(stage.url)
    await visitor.look('front')
    expect(visitor.complaints.filter((complaint) => !complaint.includes('422'))).toEqual([])
    await visitor.close()
  } finally {
    await stage.close()
  }
})
