/** Tests that the references with which banks are probed are valid, and in the format of an order. */
import { expect, test } from 'vitest'
import type { Reference } from './country.ts'
import { rulesByCountry } from './served-countries.ts'

test.each(Object.entries(rulesByCountry))('of %s', (_country, { checkReference, probeNumbers }) => {
  const { exampleReference } = probeNumbers
  const [, cardType = '', paymentId = ''] = /^([0-9]{2})\/([0-9]+)$/.exec(exampleReference) ?? []
  const ofForm: Reference = { type: 'fik', cardType, paymentId, creditorNumber: '81234567' }
  const reference: Reference = cardType === '' ? { type: 'ocr', value: exampleReference } : ofForm
  const stated = cardType === '' ? exampleReference : `+${cardType}<${paymentId}+81234567<`
  expect(checkReference(reference)).toMatchObject({ ok: true, reference: stated })
})
