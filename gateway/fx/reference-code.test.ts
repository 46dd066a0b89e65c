/** Shows that a reference code is found again in whatever payers and their banks make of it, and nothing else is. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newReferenceCode, referenceCodesIn } from './reference-code.ts'

const CODE = /^HVN[0-9A-HJKMNP-TV-Z]{10}$/
const code = fc.constant(null).map(() => newReferenceCode())
/** Nothing in it could begin another code. */
const around = fc.string({ maxLength: 20 }).filter((text) => !/[hvn]/i.test(text))

test('codes are of one form, and no two are the same', () => {
  const codes = Array.from({ length: 10_000 }, newReferenceCode)
  expect(codes.every((each) => CODE.test(each))).toBe(true)
  expect(new Set(codes).size).toBe(codes.length)
})

test('a code is found whatever is written around it, in small letters, and with spaces anywhere', () => {
  const spaced = fc.tuple(code, fc.array(fc.constantFrom('', ' ', '-', '\n'), { minLength: 13, maxLength: 13 }))
  fc.assert(
    fc.property(spaced, around, fc.boolean(), ([written, gaps], before, isSmall) => {
      const loose = [...written].map((character, index) => character + (gaps[index] ?? '')).join('')
      const text = `${before} ${isSmall ? loose.toLowerCase() : loose}`
      expect(referenceCodesIn(text)).toEqual([written])
    }),
  )
})

test('letters that are taken for digits stand for them', () => {
  expect(referenceCodesIn('HVN0O1IL23456')).toEqual(['HVN0011123456'])
})

test.each(['', 'HVN', 'HVN123456789', 'HVN12345678U0', 'Invoice 20455', 'HVN!!!!!!!!!!'])('%s holds none', (text) => {
  expect(referenceCodesIn(text)).toEqual([])
})

test('several codes in one text are all found, each once', () => {
  const [one, other] = ['HVN0123456789', 'HVNZZZZZZZZZZ']
  expect(referenceCodesIn(`${one} ${other} ${one}`)).toEqual([one, other])
})
