import { describe, expect, test } from 'vitest';
import { JsonParseError, parse } from './parse.ts';
import { print, printFloat, printPretty, printShortFloat } from './print.ts';

const roundTrip = (text: string): string => print(parse(text));

const messageOf = (text: string): string => {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof JsonParseError) return error.message;
    throw error;
  }
  return 'parsed';
};

describe('values survive as they were written', () => {
  test.for([
    ['9007199254740993', '9007199254740993'],
    ['18446744073709551615', '18446744073709551615'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['3.0', '3.0'],
    ['3', '3'],
    ['12345678.123456789', '12345678.12345679'],
    ['1e21', '1e+21'],
    ['0.00001', '1e-05'],
    ['0.0001', '0.0001'],
    ['1e15', '1e+15'],
    ['100000000000000.0', '100000000000000.0'],
    ['-0.0', '-0.0'],
    ['"tab\\tnul\\u0000 \\ud83d\\ude00"', '"tab\\tnul\\u0000 😀"'],
    ['{"b":1,"a":{"d":[],"c":null}}', '{"a":{"c":null,"d":[]},"b":1}'],
    ['{"k":1,"k":2}', '{"k":2}'],
    ['{"__proto__":1}', '{"__proto__":1}'],
    ['[1,[2,[3]],{}]', '[1,[2,[3]],{}]'],
  ] as const)('%s is answered as %s', ([text, expected]) => {
    expect(roundTrip(text)).toBe(expected);
  });

  test('an integer beyond 64 bits becomes a float', () => {
    expect(roundTrip('123456789012345678901234567890')).toBe('1.2345678901234568e+29');
  });
});

describe('errors read like the server’s', () => {
  test.for([
    [
      '{oops',
      "parse error at line 1, column 2: syntax error while parsing object key - invalid literal; last read: '{o'; expected string literal",
    ],
    [
      '',
      'parse error at line 1, column 1: attempting to parse an empty input; check that your input string or stream contains the expected JSON',
    ],
    ['{"a":1', "parse error at line 1, column 7: syntax error while parsing object - unexpected end of input; expected '}'"],
    ['[1,\n x]', "parse error at line 2, column 2: syntax error while parsing value - invalid literal; last read: '1,\n x'"],
    [
      '{"a" 1}',
      "parse error at line 1, column 6: syntax error while parsing object separator - unexpected number literal; expected ':'",
    ],
    [
      '1 2',
      'parse error at line 1, column 3: syntax error while parsing value - unexpected number literal; expected end of input',
    ],
  ] as const)('%j', ([text, expected]) => {
    expect(messageOf(text)).toBe(`[json.exception.parse_error.101] ${expected}`);
  });

  test('a number no double can hold is out of range', () => {
    expect(messageOf('{"e":1e400}')).toBe("[json.exception.out_of_range.406] number overflow parsing '1e400'");
  });
});

test('floats in facets and coerced strings have six digits', () => {
  expect([12.5, 45, 0.1, 1e6, 123456.7, 0.00001234].map(printShortFloat)).toEqual([
    '12.5',
    '45',
    '0.1',
    '1e+06',
    '123457',
    '1.234e-05',
  ]);
});

test('an infinite float prints as null', () => {
  expect(printFloat(Infinity)).toBe('null');
});

test('pretty printing indents by two and keeps empty objects on one line', () => {
  expect(printPretty(parse('{"b":{"c":1.0},"a":{}}'))).toBe('{\n  "a": {},\n  "b": {\n    "c": 1.0\n  }\n}');
});
