import { describe, expect, it } from 'vitest';
import { plpgsqlOnlyReads } from './plpgsqlOnlyReads.ts';

describe('the body of a function in PL/pgSQL', () => {
  it.each([
    'BEGIN END',
    'BEGIN NULL; END;',
    'DECLARE BEGIN RETURN; END',
    'DECLARE a int; DECLARE b text = $$;$$; BEGIN RETURN a; END',
    '#print_strict_params on\n#variable_conflict error\n<<a>> BEGIN RETURN 1; END a;',
    'BEGIN x := (CASE WHEN a THEN b ELSE c END); RETURN CASE WHEN a THEN b END; END',
    'BEGIN comment := 1; x.y[2] := 3; "set" = 4; $1 := 5; RETURN next; END',
    'BEGIN IF a THEN IF b THEN RETURN 1; END IF; ELSEIF c THEN NULL; END IF; END',
    'BEGIN LOOP EXIT; END LOOP; WHILE a LOOP CONTINUE WHEN b; END LOOP; END',
    'DECLARE a ALIAS FOR $1; BEGIN RETURN QUERY (SELECT 1); RETURN QUERY VALUES (1); END',
    "BEGIN NULL; EXCEPTION WHEN others THEN RETURN 1; WHEN SQLSTATE '22012' OR no_data_found THEN RAISE; END",
    "BEGIN RAISE EXCEPTION 'a %', b USING HINT = c; END",
    'BEGIN SELECT a, b INTO STRICT c, d FROM e FETCH FIRST 1 ROWS ONLY; END',
  ])('only reads as %j', (body) => {
    expect(plpgsqlOnlyReads(body)).toBe(true);
  });

  it.each([
    '',
    'BEGIN',
    'END',
    'SELECT 1',
    'BEGIN NULL; END; NULL;',
    'BEGIN NULL; END a b',
    'BEGIN NULL END',
    'BEGIN (SELECT 1); END',
    'BEGIN foo(); END',
    'BEGIN SELECT 1 INTO a; SELECT 2 INTO b INTO c; END',
    'BEGIN RETURN 1 INTO a; END',
    'BEGIN PERFORM 1 INTO a; END',
    'BEGIN RETURN QUERY SHOW search_path; END',
    'BEGIN RETURN QUERY EXECUTE a; END',
    'BEGIN FOR r IN SHOW ALL LOOP NULL; END LOOP; END',
    'BEGIN FOR r IN SELECT 1 FOR SHARE LOOP NULL; END LOOP; END',
    'BEGIN SELECT (1; 2) INTO a; END',
    'BEGIN SELECT 1) INTO a; END',
    'BEGIN IF a THEN SET b = 1; END IF; END',
    'BEGIN IF a THEN NULL; ELSE NOTIFY b; END IF; END',
    'BEGIN LOOP LISTEN a; END LOOP; END',
    'BEGIN <<a>> NOTIFY b; END',
    'BEGIN <<a>> b := 1; END',
    'BEGIN COMMIT; END',
    'BEGIN ROLLBACK; END',
    'BEGIN MOVE a; END',
    'BEGIN CLOSE a; END',
    'BEGIN OPEN a; END',
    'BEGIN TABLE a; END',
    'BEGIN VACUUM; END',
    'DECLARE a CURSOR FOR SELECT 1; BEGIN NULL; END',
    '#option dump\nBEGIN NULL; END',
    "BEGIN NULL; EXCEPTION WHEN SQLSTATE '57014' THEN NULL; END",
    'BEGIN NULL; EXCEPTION WHEN "query_canceled" THEN NULL; END',
    'BEGIN NULL; EXCEPTION WHEN others OR Operator_Intervention THEN NULL; END',
    "BEGIN NULL; EXCEPTION WHEN SQLSTATE E'57014' THEN NULL; END",
    "BEGIN a := 'open; END",
    'BEGIN a := U&"b"; END',
    'BEGIN COMMİT; END',
  ])('may do more as %j', (body) => {
    expect(plpgsqlOnlyReads(body)).toBe(false);
  });
});
