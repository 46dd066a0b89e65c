/** Tests that ids of one origin have one form, and ids of other origins another. */
import { expect, test } from 'vitest'
import { endToEndIdForm } from './find-unmatched-debits.ts'

test.each([
  ['INV-2026-0042', 'INV-0-0'],
  ['INV-7', 'INV-0'],
  ['faktura 12/3', 'faktura 0/0'],
  ['A17', 'A0'],
  ['k3f9zq', 'x'],
  ['01a2194a-522a-7000-9e86-2bb7227d115f', 'uuid'],
  ['Rent of May', 'Rent of May'],
  ['01a2194a-522a-7000-9e86-2b-1f2e3d4c', 'uuid'],
  ['01a2194a-522a-7000-9e8-12345678', 'uuid'],
  ['INV-2026-of-the-employees-1f2e3d4c', 'INV-0-of-the-employees-#'],
  ['INV-20261130', 'INV-0'],
])('the form of %s is %s', (endToEndId, form) => {
  expect(endToEndIdForm(endToEndId)).toBe(form)
})
