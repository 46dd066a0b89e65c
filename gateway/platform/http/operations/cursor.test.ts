/** Tests that a cursor continues the list that it came from, and no other. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSeal, generateMasterKeyLine, parseMasterKeys } from '../../crypto/envelope-encryption.ts'
import { type CursorScope, createCursor, parseCursor } from './cursor.ts'

const older = generateMasterKeyLine('older')
const seal = createSeal(parseMasterKeys(older))
const filters = fc.dictionary(fc.string(), fc.option(fc.string(), { nil: undefined }), { maxKeys: 4 })
const requested: fc.Arbitrary<CursorScope> = fc.record({
  partnerId: fc.uuid(),
  list: fc.constantFrom('payments', 'payrolls'),
  filters,
})

test('an encoded cursor is decoded again, for any position and filters', () => {
  fc.assert(
    fc.property(requested, fc.string(), (list, place) => {
      expect(parseCursor(seal, list, createCursor(seal, list, place))).toEqual({ place })
      const turned = { ...list, filters: Object.fromEntries(Object.entries(list.filters).toReversed()) }
      expect(parseCursor(seal, turned, createCursor(seal, list, place))).toEqual({ place })
    }),
  )
})

test('another partner’s and another list’s cursor is invalid, and one of other filters is detected', () => {
  const list = { partnerId: 'one', list: 'payments', filters: { status: 'Unsigned' } }
  const cursor = createCursor(seal, list, 'here')
  const none = { fault: expect.stringContaining('is not a cursor of this list') }
  expect(parseCursor(seal, { ...list, partnerId: 'another' }, cursor)).toEqual(none)
  expect(parseCursor(seal, { ...list, list: 'payrolls' }, cursor)).toEqual(none)
  expect(parseCursor(seal, { ...list, filters: {} }, cursor)).toEqual({
    fault: expect.stringContaining('other filters'),
  })
})

test('no other text is a valid cursor', () => {
  fc.assert(
    fc.property(requested, fc.oneof(fc.string(), fc.base64String()), (list, text) => {
      expect(parseCursor(seal, list, text)).toHaveProperty('fault')
    }),
  )
})

test('a cursor stays valid after a rotation of the key, and not without the key', () => {
  const list = { partnerId: 'one', list: 'payments', filters: {} }
  const cursor = createCursor(seal, list, 'here')
  const rotated = createSeal(parseMasterKeys(`${generateMasterKeyLine('newer')}\n${older}`))
  expect(parseCursor(rotated, list, cursor)).toEqual({ place: 'here' })
  expect(parseCursor(createSeal(parseMasterKeys(generateMasterKeyLine('newer'))), list, cursor)).toHaveProperty('fault')
})
