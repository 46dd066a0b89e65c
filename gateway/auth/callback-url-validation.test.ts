/** Tests to which URLs users may be redirected, in the sandbox and in production. */
import { expect, test } from 'vitest'
import { validateCallbackUrl } from './callback-origin.ts'

const caller = {
  callbackOrigins: ['https://erp.example', 'https://pay.example:8443', 'http://127.0.0.1:7000', 'myerp:'],
}

function reasonIn(mode: 'sandbox' | 'production', callbackUrl: string): string | undefined {
  const [validationError, ...others] = validateCallbackUrl({ mode }, caller, callbackUrl)
  expect(others).toEqual([])
  return validationError?.reason
}

const NO_URI = /^must be a URI/
const UNREGISTERED = /^must begin with an origin or scheme that is registered/
const EVERYWHERE: readonly (readonly [url: string, reason: RegExp | undefined])[] = [
  ['', NO_URI],
  ['back', NO_URI],
  ['/back', NO_URI],
  ['//erp.example/', NO_URI],
  ['https://', NO_URI],
  ['https:erp.example/back', NO_URI],
  ['https:/erp.example/back', NO_URI],
  ['ftp://erp.example/', UNREGISTERED],
  ['other://back', UNREGISTERED],
  ['myerp.evil://back', UNREGISTERED],
  ['javascript:alert(1)', /^must not have the scheme javascript:$/],
  ['java\nscript:alert(1)', /^must not have the scheme javascript:$/],
  ['DATA:text/html,hello', /^must not have the scheme data:$/],
  ['file:///etc/passwd', /^must not have the scheme file:$/],
  ['https://me@erp.example/', /^must not contain credentials$/],
  ['https://:secret@erp.example/', /^must not contain credentials$/],
  ['myerp://me@back', /^must not contain credentials$/],
  ['https://erp.example\\.evil.example/', /^must not contain control characters or backslashes$/],
  ['https://erp.example/\n', /^must not contain control characters or backslashes$/],
  ['https://erp.example', undefined],
  ['https://erp.example/a?b=c', undefined],
  ['https://erp.example/#/done', undefined],
  ['https://pay.example:8443/', undefined],
  ['HTTPS://ERP.EXAMPLE/', undefined],
  ['http://127.0.0.1:7000/back', undefined],
  ['myerp://back', undefined],
  ['MyErp:back?x=1#y', undefined],
]

const IN_SANDBOX: typeof EVERYWHERE = [
  ['http://localhost:3000/', undefined],
  ['http://127.1.2.3/', undefined],
  ['http://[::1]:8080/', undefined],
  ['https://any.example/#/done', undefined],
  ...['http://erp.example/', 'http://localhost.example/', 'http://127.0.0.1.example/', 'http://10.0.0.1/'].map(
    (url) => [url, UNREGISTERED] as const,
  ),
]

const IN_PRODUCTION: typeof EVERYWHERE = [
  'http://localhost:3000/',
  'http://erp.example/',
  'https://localhost/',
  'https://evil.example/',
  'https://erp.example:444/',
  'https://pay.example/',
  'https://erp.example.evil.example/',
  'https://sub.erp.example/',
  'https://evil.example/#https://erp.example',
].map((url) => [url, UNREGISTERED] as const)

test.each([
  ['sandbox', [...EVERYWHERE, ...IN_SANDBOX]],
  ['production', [...EVERYWHERE, ...IN_PRODUCTION]],
] as const)(
  'in the %s users are redirected to registered origins and schemes only, and to no harmful URL',
  (mode, cases) => {
    for (const [url, reason] of cases) {
      const told = reasonIn(mode, url)
      expect({ url, told }).toEqual({ url, told: reason === undefined ? undefined : expect.stringMatching(reason) })
    }
  },
)
