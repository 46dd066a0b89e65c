/** Tests that fields refer to their labels, help texts and errors, and that no input becomes markup. */
import { describe, expect, it, test } from 'vitest'
import { actionButton, checkboxField, errorSummary, radioField, selectField, textField } from './form-markup.ts'

const HOSTILE = '"><script>alert(1)</script>\'&'
const WRONG = [
  { field: 'owners.0.name', label: 'Name', message: 'Write a name' },
  { field: 'other', label: 'Other', message: 'Not this one' },
]

describe('a field of text', () => {
  it('is linked to its label, its help text and its error', () => {
    const markup = textField({
      name: 'owners.0.name',
      label: 'Name',
      hint: 'As in the passport',
      value: 'K',
      validationErrors: WRONG,
    })
    expect(markup).toContain('<label for="field-owners-0-name">Name</label>')
    expect(markup).toContain('<p class="quiet" id="field-owners-0-name-hint">As in the passport</p>')
    expect(markup).toContain('<p class="problem" id="field-owners-0-name-problem">Write a name</p>')
    expect(markup).toMatch(
      /<input [^>]*id="field-owners-0-name"[^>]* aria-describedby="field-owners-0-name-hint field-owners-0-name-problem" aria-invalid="true">/,
    )
    expect(markup).not.toContain('Not this one')
  })

  it('refers to no help text or error if it has none', () => {
    const markup = textField({ name: 'email', label: 'E-mail', value: '', type: 'email', validationErrors: [] })
    expect(markup).not.toMatch(/aria-|class="problem"|class="quiet"/)
    expect(markup).toContain('type="email"')
  })

  it('states what the browser may fill in', () => {
    expect(textField({ name: 'a', label: 'A', value: '', validationErrors: [] })).toContain('autocomplete="off"')
    expect(textField({ name: 'a', label: 'A', value: '', autocomplete: 'tel', validationErrors: [] })).toContain(
      'autocomplete="tel"',
    )
  })
})

test('a choice is a group with a question, and keeps the selected option', () => {
  const choices = [
    { value: 'yes', label: 'Yes', hint: 'Or was once' },
    { value: 'no', label: 'No' },
  ]
  const markup = radioField({ name: 'exposed', label: 'Is it so?', value: 'no', choices, validationErrors: [] })
  expect(markup).toMatch(/<fieldset[^>]*>\s*<legend>Is it so\?<\/legend>/)
  expect(markup.match(/checked/g)).toHaveLength(1)
  expect(markup).toMatch(/value="no" checked/)
})

test('errors above a form link to the fields, that of a choice to its first option', () => {
  const choices = [{ value: 'yes', label: 'Yes' }]
  const validationErrors = [{ field: 'exposed', label: 'Is it so', message: 'Answer yes or no' }]
  const summary = errorSummary('There is a problem', validationErrors)
  expect(summary).toContain('<a href="#field-exposed">Is it so: Answer yes or no</a>')
  expect(radioField({ name: 'exposed', label: 'Is it so?', value: '', choices, validationErrors })).toContain(
    'id="field-exposed"',
  )
  expect(errorSummary('There is a problem', [])).toBe('')
})

test.each([
  [
    'text',
    () =>
      textField({
        name: 'a',
        label: HOSTILE,
        hint: HOSTILE,
        value: HOSTILE,
        validationErrors: [{ field: 'a', label: HOSTILE, message: HOSTILE }],
      }),
  ],
  [
    'choice',
    () =>
      radioField({
        name: 'a',
        label: HOSTILE,
        value: HOSTILE,
        choices: [{ value: HOSTILE, label: HOSTILE, hint: HOSTILE }],
        validationErrors: [],
      }),
  ],
  [
    'select',
    () =>
      selectField({
        name: 'a',
        label: HOSTILE,
        value: HOSTILE,
        choices: [{ value: HOSTILE, label: HOSTILE }],
        validationErrors: [],
      }),
  ],
  ['tick', () => checkboxField({ name: 'a', label: HOSTILE, isTicked: true, validationErrors: [] })],
  ['summary', () => errorSummary(HOSTILE, [{ field: 'a', label: HOSTILE, message: HOSTILE }])],
  ['button', () => actionButton('add', HOSTILE)],
])('user input is no markup in a %s', (_name, write) => {
  const markup = write()
  expect(markup).not.toMatch(/<script|"'|&'|'&/)
  expect(markup).toContain('&#60;script&#62;')
})
