/** Tests rendered documents: no text is lost, and no text becomes markup by accident. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomCases } from '../../setup/random-cases.ts'
import { highlightCode } from './highlight-code.ts'
import { type LinkRules, renderMarkdown } from './render-markdown.ts'

const NO_LINKS: LinkRules = {
  linkOf: (href) => (/^(https?:|#)/.test(href) ? href : undefined),
  linkOfCode: () => undefined,
}
const markupOf = (text: string) => renderMarkdown(text, NO_LINKS).markup.trim()

describe('each kind of block', () => {
  test.each([
    ['# A *title*', '<h1 id="a-title">A <em>title</em></h1>'],
    ['# A_b\n# A_b', '<h1 id="a_b">A_b</h1>\n<h1 id="a_b-1">A_b</h1>'],
    ['**Loud** and `code_<b>`', '<p><strong>Loud</strong> and <code>code_<wbr>&#60;b&#62;</code></p>'],
    ['- one\n  goes on\n- two', '<ul>\n<li>one\ngoes on</li>\n<li>two</li>\n</ul>'],
    [
      '```json\n{"a": 1}\n```',
      '<pre tabindex="0"><code class="json"><span class="hljs-punctuation">{</span><span class="hljs-attr">&quot;a&quot;</span><span class="hljs-punctuation">:</span> <span class="hljs-number">1</span><span class="hljs-punctuation">}</span></code></pre>',
    ],
    ['```\n<b>\n```', '<pre tabindex="0"><code class="text">&#60;b&#62;</code></pre>'],
    ['<http://127.0.0.1:8080>', '<p><a href="http://127.0.0.1:8080">http://127.0.0.1:8080</a></p>'],
    ['[there](#time), [file](../sdk/README.md)', '<p><a href="#time">there</a>, file</p>'],
    ['<!-- a comment\nof two lines -->', ''],
    ['```\n<!-- code -->\n```', '<pre tabindex="0"><code class="text">&#60;!-- code --&#62;</code></pre>'],
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
  ])('%j', (text, markup) => {
    expect(markupOf(text)).toBe(markup)
  })

  test('every cell of a table has its column name, and an escaped bar is preserved', () => {
    expect(markupOf('| Amount | `What` |\n| --- | --- |\n| `7701` | a \\| b |').replaceAll('\n', '')).toContain(
      '<td data-column="Amount"><code>7701</code></td><td data-column="What">a | b</td>',
    )
  })

  test('identifiers in back quotes link to what they name, except inside links', () => {
    const rules = {
      linkOf: (href: string) => href,
      linkOfCode: (code: string) => (code === 'getBank' ? '/bank' : undefined),
    }
    const { markup } = renderMarkdown('`getBank`, `other`, [`getBank`](/x)', rules)
    expect(markup.trim()).toBe(
      '<p><a href="/bank"><code>get<wbr>Bank</code></a>, <code>other</code>, <a href="/x"><code>get<wbr>Bank</code></a></p>',
    )
  })

  test('of code, in every language, preserves its text and escapes it', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('<', '>', '"', "'", '`', '&', '{', '}', ':', '#', '-', 'a', '1', '\n', ' ', '\\'),
    })
    fc.assert(
      fc.property(hostile, fc.constantFrom('json', 'sh', 'ts', 'python', 'csharp', 'unknown'), (text, language) => {
        const marked = highlightCode(text, language).replaceAll(/<span class="[\w- ]+">|<\/span>/g, '')
        expect(marked).not.toMatch(/[<>]/)
        expect(unescaped(marked)).toBe(text)
      }),
      { numRuns: randomCases(1_000) },
    )
  })
})

function unescaped(markup: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'" }
  return markup.replaceAll(/&(#x27|lt|gt|amp|quot|#(\d+));/g, (_, name: string, code: string | undefined) =>
    code === undefined ? (entities[name] ?? '') : String.fromCodePoint(Number(code)),
  )
}

test('only the supported tags are rendered, for any input', () => {
  const texts = fc.array(
    fc.constantFrom(
      '<',
      '>',
      '"',
      '&',
      '`',
      '|',
      '#',
      '*',
      '[',
      ']',
      '(',
      ')',
      '-',
      '\n',
      '\n\n',
      '```',
      'a',
      'http:',
      '1. ',
    ),
    { maxLength: 40 },
  )
  const known =
    /<\/?(h[1-4]|p|ul|ol|li|strong|em|code|pre|table|thead|tbody|tr|th|td|div|span|wbr|a|blockquote|br|hr)( (id|href|class|scope|data-column|tabindex|role|aria-label|start)="[^"<>]*")*>/g
  fc.assert(
    fc.property(texts, (parts) => {
      expect(markupOf(parts.join('')).replaceAll(known, '')).not.toMatch(/[<>]/)
    }),
    { numRuns: randomCases(1_000) },
  )
})
