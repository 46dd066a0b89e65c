/** Shows to which addresses users may be sent back, in the sandbox and in production. */
import { describe, expect, test } from 'vitest'
import { checkCallbackUrl } from './callback-rules.ts'

const caller = { callbackOrigins: ['https://erp.example', 'https://pay.example:8443'] }

function reasonIn(mode: 'sandbox' | 'production', callbackUrl: string): string | undefined {
  const [problem, ...others] = checkCallbackUrl({ mode }, caller, callbackUrl)
  expect(others).toEqual([])
  return problem?.reason
}

describe.each(['sandbox', 'production'] as const)('in the %s', (mode) => {
  test.each([
    ['', 'must be an http or https address'],
    ['back', 'must be an http or https address'],
    ['/back', 'must be an http or https address'],
    ['//erp.example/', 'must be an http or https address'],
    ['ftp://erp.example/', 'must be an http or https address'],
    ['javascript:alert(1)', 'must be an http or https address'],
    ['data:text/html,hello', 'must be an http or https address'],
    ['https://', 'must be an http or https address'],
    ['https://me@erp.example/', 'must not hold credentials'],
    ['https://:secret@erp.example/', 'must not hold credentials'],
    ['https://erp.example/#a', 'must not hold a fragment'],
    ['https://erp.example/#', 'must not hold a fragment'],
  ])('%j is refused: it %s', (callbackUrl, reason) => {
    expect(reasonIn(mode, callbackUrl)).toBe(reason)
  })

  test.each(['https://erp.example', 'https://erp.example/a?b=c', 'https://pay.example:8443/', 'HTTPS://ERP.EXAMPLE/'])(
    '%s is taken',
    (callbackUrl) => {
      expect(reasonIn(mode, callbackUrl)).toBeUndefined()
    },
  )
})

describe('in the sandbox', () => {
  test.each([
    'http://localhost:3000/',
    'http://127.0.0.1/',
    'http://127.1.2.3/',
    'http://[::1]:8080/',
    'https://any.example/',
  ])('%s is taken', (callbackUrl) => {
    expect(reasonIn('sandbox', callbackUrl)).toBeUndefined()
  })

  test.each(['http://erp.example/', 'http://localhost.example/', 'http://127.0.0.1.example/', 'http://10.0.0.1/'])(
    '%s is refused',
    (callbackUrl) => {
      expect(reasonIn('sandbox', callbackUrl)).toMatch(/^must be https/)
    },
  )
})

describe('in production', () => {
  test.each(['http://localhost:3000/', 'http://erp.example/'])('%s is refused', (callbackUrl) => {
    expect(reasonIn('production', callbackUrl)).toBe('must be https')
  })

  test.each([
    'https://localhost/',
    'https://evil.example/',
    'https://erp.example:444/',
    'https://pay.example/',
    'https://erp.example.evil.example/',
    'https://sub.erp.example/',
  ])('%s is refused: its origin is not on the list', (callbackUrl) => {
    expect(reasonIn('production', callbackUrl)).toMatch(/^must begin with an origin on your list/)
  })
})
