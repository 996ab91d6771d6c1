# cmake -DSOURCE=… -DVERSION=… -DBUILD_TYPE=… -DOUTPUT=… -P CloakVersion.cmake: writes
# the source of VersionText() (apps/cli/version.h) to OUTPUT, unless it stands there
# already. It names no commit where SOURCE is not a clone of git.
cmake_minimum_required(VERSION 3.25)
set(commit "")
if(EXISTS "${SOURCE}/.git")
  execute_process(
    COMMAND git --no-optional-locks describe --always --exclude=*
            --abbrev=12 "--dirty= with changes"
    WORKING_DIRECTORY "${SOURCE}" OUTPUT_VARIABLE commit RESULT_VARIABLE failed
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(failed)
    set(commit "")
  endif()
endif()
set(build ${commit} ${BUILD_TYPE})
list(JOIN build ", " build)
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT [[
#include "apps/cli/version.h"

namespace cloak {

std::string VersionText() { return "@VERSION@ (@build@)"; }

}  // namespace cloak
]] @ONLY)
