/** Shows what a tolerant reader leaves out, what it reports, and that it never repeats a value. */
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { tolerantResponseParser } from './response-parser.ts'
import { type Deviation, VISIBLE_TEXT } from './tolerant-reader.ts'

const Text = Type.String({ pattern: VISIBLE_TEXT })
const Account = Type.Object({ id: Text, name: Type.Optional(Text), owner: Type.Optional(Type.Object({ id: Text })) })
const parse = tolerantResponseParser(
  Type.Object({
    amount: Type.Optional(Type.String({ pattern: VISIBLE_TEXT, fromNumber: true })),
    accounts: Type.Optional(Type.Array(Account)),
    complete: Type.Optional(Type.Array(Account, { complete: true })),
    readable: Type.Optional(Type.Array(Account, { readable: true })),
    links: Type.Optional(Type.Record(Type.String(), Type.Object({ href: Text }))),
    text: Type.Optional(Type.Union([Account, Text])),
  }),
)

test.each([
  ['null', { amount: null, accounts: null, links: null }, {}, []],
  ['blank texts and objects of nothing', { text: ' \u200b', links: { a: { href: null } } }, {}, []],
  [
    'an object without fields',
    { accounts: [{ id: '1', owner: {} }] },
    { accounts: [{ id: '1' }] },
    [['accounts[0].owner.id', 'is missing', 'ignored']],
  ],
  [
    'another shape',
    { accounts: { id: '1' }, amount: ['1'] },
    {},
    [
      ['accounts', 'is another shape: object', 'ignored'],
      ['amount', 'is another shape: list', 'ignored'],
    ],
  ],
  [
    'damaged elements',
    { accounts: [{ id: '1', name: 2 }, { id: 4 }, null, { name: 'n' }, 7, { id: '2' }] },
    {
      accounts: [{ id: '1' }, { id: '2' }],
    },
    [
      ['accounts[0].name', 'is another shape: number', 'ignored'],
      ['accounts[1].id', 'is another shape: number', 'dropped'],
      ['accounts[3].id', 'is missing', 'dropped'],
      ['accounts[4]', 'is another shape: number', 'dropped'],
    ],
  ],
  [
    'damaged elements of a list that must be complete',
    { complete: [{ id: '1' }, {}] },
    {},
    [['complete[1].id', 'is missing', 'ignored']],
  ],
  [
    'damaged elements alone',
    { accounts: [{ name: 'n' }, 7, null], amount: '1' },
    { amount: '1' },
    [['accounts[0].id', 'is missing', 'ignored']],
  ],
  [
    'damaged elements alone of a list that must be readable',
    { readable: [7, {}], amount: '1' },
    undefined,
    [['readable[0]', 'is another shape: number', 'unreadable']],
  ],
  ['nothing in lists', { accounts: [null, ' '], readable: [null], complete: [] }, { complete: [] }, []],
  [
    'names that the schema does not know',
    { links: { 'NO93 8601': 7, b: { href: 'x' } }, secret: 1 },
    {
      links: { b: { href: 'x' } },
      secret: 1,
    },
    [['links.*', 'is another shape: number', 'ignored']],
  ],
  [
    'one of two shapes',
    { text: { id: '1', name: 7 } },
    { text: { id: '1' } },
    [['text.name', 'is another shape: number', 'ignored']],
  ],
  ['none of two shapes', { text: [] }, {}, [['text', 'is another shape: list', 'ignored']]],
  ['a number for a text', { amount: -12.5 }, { amount: '-12.5' }, []],
  [
    'a number with more digits than a double holds',
    { amount: 2 ** 60 },
    {},
    [['amount', 'is another shape: number', 'ignored']],
  ],
])('of %s', (_what, value, expected, reports) => {
  const reported: Deviation[] = []
  expect(parse(JSON.stringify(value), (deviation) => reported.push(deviation))).toEqual(expected)
  expect(reported.map(({ path, reason, effect }) => [path, reason, effect])).toEqual(reports)
})

test('without a readable body nothing is read', () => {
  const reported: Deviation[] = []
  expect(['{"accounts":', '', '[]', 'null', '7'].map((body) => parse(body, (one) => reported.push(one)))).toEqual(
    Array(5).fill(undefined),
  )
  expect(reported.map(({ reason }) => reason)).toEqual([
    'is not JSON',
    'is not JSON',
    'is another shape: list',
    'is null',
    'is another shape: number',
  ])
})
