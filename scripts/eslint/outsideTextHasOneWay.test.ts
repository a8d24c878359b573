import { RuleTester } from 'eslint';
import tseslint from 'typescript-eslint';
import { afterAll, describe, it } from 'vitest';
import { outsideTextHasOneWay } from './outsideTextHasOneWay.ts';

RuleTester.describe = describe;
RuleTester.it = it;
RuleTester.itOnly = it;
Object.assign(RuleTester, { afterAll });

const tester = new RuleTester({
  languageOptions: { parser: tseslint.parser, parserOptions: { ecmaFeatures: { jsx: true } } },
});
const terminal = (code: string) => ({ code, options: ['terminal'], filename: 'a.tsx' });
const page = (code: string) => ({ code, options: ['page'], filename: 'a.tsx' });
const errors = [{ message: /cli\/terminal\.ts|visibleText/ }];

tester.run('outside-text-has-one-way', outsideTextHasOneWay, {
  valid: [
    terminal(`await write(context.terminal.stdout, text);`),
    terminal(`file.write(text);`),
    terminal(`context.console.split(text);`),
    terminal(`const { console } = await open(); console.classify(text);`),
    page(`const a = <p title={error.message}>{error.message}</p>;`),
    page(`document.title = visibleText(title);`),
    page(`mark.textContent = visibleText(label, 'name');`),
    page(`link.title = name;`),
    page(`const text = element.textContent;`),
    page(`dialog.confirm(question);`),
    page(`import { useState } from 'react';`),
  ],
  invalid: [
    { ...terminal(`process.stdout.write(text);`), errors },
    { ...terminal(`context.terminal.stderr.write(text);`), errors },
    { ...terminal(`stdout.end(text);`), errors },
    { ...terminal(`console.log(error.message);`), errors },
    { ...page(`document.title = table.name;`), errors },
    { ...page(`readout.current.textContent = value;`), errors },
    { ...page(`element.innerHTML = readme;`), errors },
    { ...page(`element.insertAdjacentHTML('beforeend', readme);`), errors },
    { ...page(`document.createTextNode(name);`), errors },
    { ...page(`document.write(name);`), errors },
    { ...page(`window.confirm(question);`), errors },
    { ...page(`alert(question);`), errors },
    { ...page(`new Notification(name);`), errors },
    { ...page(`const a = <p dangerouslySetInnerHTML={{ __html: readme }} />;`), errors },
    { ...page(`import { createElement } from 'react';`), errors },
    { ...page(`import { jsx } from 'react/jsx-runtime';`), errors },
  ],
});
