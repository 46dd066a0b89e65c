/** Shows that a cursor leads on in the list that it came from, and nowhere else. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ListAsked, readCursor, writeCursor } from '../../../foundation/http/cursor.ts'
import { newMasterKey, parseMasterKeys, sealWith } from '../../crypto/envelope-encryption.ts'

const older = newMasterKey('older')
const seal = sealWith(parseMasterKeys(older))
const filters = fc.dictionary(fc.string(), fc.option(fc.string(), { nil: undefined }), { maxKeys: 4 })
const asked: fc.Arbitrary<ListAsked> = fc.record({
  partnerId: fc.uuid(),
  list: fc.constantFrom('payments', 'payrolls'),
  filters,
})

test('what is written is read again, whatever the place and the filters are', () => {
  fc.assert(
    fc.property(asked, fc.string(), (list, place) => {
      expect(readCursor(seal, list, writeCursor(seal, list, place))).toEqual({ place })
      const turned = { ...list, filters: Object.fromEntries(Object.entries(list.filters).toReversed()) }
      expect(readCursor(seal, turned, writeCursor(seal, list, place))).toEqual({ place })
    }),
  )
})

test('another partner’s and another list’s cursor is none, and one of other filters is told apart', () => {
  const list = { partnerId: 'one', list: 'payments', filters: { status: 'Unsigned' } }
  const cursor = writeCursor(seal, list, 'here')
  const none = { fault: expect.stringContaining('is no cursor of this list') }
  expect(readCursor(seal, { ...list, partnerId: 'another' }, cursor)).toEqual(none)
  expect(readCursor(seal, { ...list, list: 'payrolls' }, cursor)).toEqual(none)
  expect(readCursor(seal, { ...list, filters: {} }, cursor)).toEqual({
    fault: expect.stringContaining('other filters'),
  })
})

test('no text that nobody here wrote is a cursor', () => {
  fc.assert(
    fc.property(asked, fc.oneof(fc.string(), fc.base64String()), (list, text) => {
      expect(readCursor(seal, list, text)).toHaveProperty('fault')
    }),
  )
})

test('a cursor outlives the rotation of the key, and not the key', () => {
  const list = { partnerId: 'one', list: 'payments', filters: {} }
  const cursor = writeCursor(seal, list, 'here')
  const rotated = sealWith(parseMasterKeys(`${newMasterKey('newer')}\n${older}`))
  expect(readCursor(rotated, list, cursor)).toEqual({ place: 'here' })
  expect(readCursor(sealWith(parseMasterKeys(newMasterKey('newer'))), list, cursor)).toHaveProperty('fault')
})
