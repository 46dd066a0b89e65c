/** Tests that emptying tables outlasts what locks them in another order. */
import { expect, test } from 'vitest'
import { emptyUnderLoad } from './empty-under-load.ts'

test('a deadlock and a lock that is not granted are tried again, a few times, and nothing else is', async () => {
  const attempts: string[] = []
  const failing = (...codes: readonly string[]) =>
    emptyUnderLoad(async () => {
      const code = codes[attempts.length] ?? codes.at(-1) ?? ''
      attempts.push(code)
      if (code !== '') {
        throw Object.assign(new Error(code), { code })
      }
    })
  await failing('40P01', '55P03', '')
  expect(attempts.splice(0)).toEqual(['40P01', '55P03', ''])
  await expect(failing('42P01')).rejects.toThrow('42P01')
  expect(attempts.splice(0)).toHaveLength(1)
  await expect(failing('40P01')).rejects.toThrow('40P01')
  expect(attempts).toHaveLength(10)
})
