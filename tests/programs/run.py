# Runs programs in one Python, which has NumPy loaded once: run.py FILE... prints a JSON object per file, with its exit code
# and its output.
import contextlib
import io
import json
import runpy
import sys
import warnings

warnings.simplefilter("ignore")
for path in sys.argv[1:]:
    printed = io.StringIO()
    code = 0
    with contextlib.redirect_stdout(printed):
        try:
            runpy.run_path(path)
        except SystemExit as end:
            code = end.code or 0
        except Exception as error:
            code, _ = 1, print(f"{type(error).__name__}: {error}")
    print(json.dumps({"path": path, "code": code, "printed": printed.getvalue()}))
