import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { estimateTokens, fittingCharacters } from './tokenEstimate.ts';

const times = <T>(count: number, value: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => value(index));
const hash = (index: number): Buffer => createHash('sha256').update(String(index)).digest();

const ROWS: readonly (readonly [name: string, text: string])[] = [
  [
    'mixed',
    JSON.stringify(
      times(100, (index) => [
        index,
        1_578_812_989 + index * 77,
        'Fits in a coat pocket.',
        6.6 + index,
        true,
        null,
        ['sale', 'new'],
      ]),
    ),
  ],
  ['hashes', JSON.stringify(times(60, (index) => hash(index).toString('hex')))],
  ['base64', JSON.stringify(times(60, (index) => hash(index).toString('base64')))],
  ['floats', JSON.stringify(times(500, (index) => Math.sin(index + 1)))],
  [
    'addresses',
    JSON.stringify(times(60, (index) => `https://cdn.example.com/images/${index}/large-${index * 31}.jpg?width=400`)),
  ],
  ['emptiness', JSON.stringify(times(200, () => [null, null, true, false, 0, '']))],
  ['JSON in JSON', JSON.stringify(times(80, (index) => `{"page":${index},"big":9007199254740993,"price":1.50}`))],
  ['German', 'Die Gesellschaft übernimmt größere Verantwortung für Änderungen an Überweisungen. '.repeat(20)],
  ['emoji', '😀👍🏽🎉 great 👨‍👩‍👧 '.repeat(50)],
];
const SCRIPTS: readonly (readonly [name: string, text: string])[] = [
  ['Chinese', '我们在这个数据库里保存了所有的产品信息,包括价格、库存和描述。'.repeat(20)],
  ['Japanese', 'このデータベースには商品の情報がすべて保存されています。'.repeat(20)],
  ['Korean', '이 데이터베이스에는 모든 제품 정보가 저장되어 있습니다. '.repeat(20)],
  ['Arabic', 'هذه قاعدة بيانات تحتوي على جميع معلومات المنتجات والأسعار. '.repeat(20)],
  ['Greek', 'Η γρήγορη καφέ αλεπού πηδά πάνω από το τεμπέλικο σκυλί. '.repeat(20)],
  ['Thai', 'ฐานข้อมูลนี้เก็บข้อมูลสินค้าทั้งหมด '.repeat(20)],
];

describe('estimateTokens', () => {
  it.each(ROWS)('is within a third of o200k_base for %s', (_, text) => {
    const ratio = estimateTokens(text) / countTokens(text);
    expect(ratio).toBeGreaterThan(0.75);
    expect(ratio).toBeLessThan(1.34);
  });

  it.each(SCRIPTS)('is rather too many than too few for %s', (_, text) => {
    expect(estimateTokens(text) / countTokens(text)).toBeGreaterThan(0.95);
  });
});

describe('fittingCharacters', () => {
  it('is the whole of a text that fits', () => {
    expect(fittingCharacters('short', 10)).toBe(5);
  });

  it('ends a text where its tokens are over', () => {
    const [, text = ''] = ROWS[0] ?? [];
    const fitting = fittingCharacters(text, 500);
    expect(estimateTokens(text.slice(0, fitting))).toBeLessThanOrEqual(500);
    expect(countTokens(text.slice(0, fitting))).toBeGreaterThan(350);
  });
});
